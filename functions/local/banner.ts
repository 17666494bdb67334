/** Holds what a newcomer needs to try a running Lanyap. */
export type BannerValues = {
  address: string;
  publicKey: string;
  privateKey: string;
  platformToken: string;
  adminToken: string;
  placementId: string;
};

/** Formats the text printed once everything runs: the address, the demo credentials and a request that returns offers. */
export const bannerText = (values: BannerValues): string => {
  const query = new URLSearchParams({
    placementId: values.placementId,
    sessionId: "demo-session",
    "at.orderid": "1001",
    "at.country": "US",
    "at.language": "en",
    "at.amount": "79.90",
    "at.currency": "USD",
  });
  return `
Lanyap is running at ${values.address}   (press Ctrl-C to stop it)

  demo store      ${values.address}/demo

  public key      ${values.publicKey}
  private key     ${values.privateKey}
  platform token  ${values.platformToken}
  admin token     ${values.adminToken}

Ask for offers for an order:

  curl -H 'Authorization: Bearer ${values.publicKey}' \\
    '${values.address}/api/odata?${query.toString()}'
`;
};
