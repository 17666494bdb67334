declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  /** Holds a drawn reference. */
  type SwaggerUi = { preauthorizeApiKey: (scheme: string, value: string) => unknown };
  const draw: (options: Record<string, unknown>) => SwaggerUi;
  export default draw;
}
