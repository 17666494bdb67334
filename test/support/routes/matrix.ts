/** Names who may call, in the order of the table's columns. */
export const PRINCIPALS = [
  "none",
  "malformed",
  "publicKey",
  "conversionSecret",
  "publisher",
  "readOnly",
  "otherPublisher",
  "platform",
  "otherPlatform",
  "administrator",
] as const;

export type Principal = (typeof PRINCIPALS)[number];

/** Says what the answer in a cell is: its status and, for an error, its shape: A is flat, B wrapped. */
export type Expected = { status: number; shape: "A" | "B" | null };

/**
 * Tells for every route and principal what the answer is. All but the credential is right, and names resources of the
 * publisher or its platform. `other` principals have the same roles in another world; `readOnly` is a token of the
 * publisher, too. `-` stands for 401B, the refusal of a credential.
 */
const TABLE = `
route                                                             none  malf  publ  conv  own   read  other plat  other admin

POST /api/v1/platforms                                            -     -     -     -     -     -     -     -     -     201
GET /api/v1/platforms                                             -     -     -     -     -     -     -     -     -     200
PUT /api/v1/platforms/:platform                                   -     -     -     -     -     -     -     -     -     200
POST /api/v1/platforms/:platform/token                            -     -     -     -     -     -     -     -     -     201

POST /api/v1/publishers                                           401A  401A  401A  401A  401A  401A  401A  201   201   401A
GET /api/v1/publishers                                            401A  401A  401A  401A  401A  401A  401A  200   200   401A
GET /api/v1/publishers/me                                         -     -     -     -     200   200   200   -     -     -
GET /api/v1/publishers/:publisher                                 -     -     -     -     200   200   403B  -     -     -
PUT /api/v1/publishers/:publisher                                 -     -     -     -     200   403B  403B  -     -     -
PATCH /api/v1/publishers/:publisher/status                        -     -     -     -     200   403B  403B  200   403B  200
PATCH /api/v1/publishers/:publisher/ads                           -     -     -     -     200   403B  403B  200   403B  200
PATCH /api/v1/publishers/:publisher/limits                        -     -     -     -     -     -     -     200   403B  200
GET /api/v1/publishers/:publisher/order                           -     -     -     -     200   200   403B  200   403B  200
PATCH /api/v1/publishers/:publisher/order                         -     -     -     -     200   403B  403B  200   403B  200
GET /api/v1/publishers/:publisher/events                          -     -     -     -     200   200   403B  200   403B  200
DELETE /api/v1/publishers/:publisher                              -     -     -     -     200   403B  403B  -     -     -
DELETE /api/v1/publishers/:publisher/sessions                     -     -     -     -     200   403B  403B  200   403B  200

GET /api/v1/publishers/:publisher/api-tokens                      -     -     -     -     200   200   403B  -     -     -
POST /api/v1/publishers/:publisher/api-tokens                     -     -     -     -     201   403B  403B  201   403B  201
GET /api/v1/publishers/:publisher/api-tokens/:token               -     -     -     -     200   200   403B  200   403B  200
PUT /api/v1/publishers/:publisher/api-tokens/:token               -     -     -     -     200   403B  403B  200   403B  200
PATCH /api/v1/publishers/:publisher/api-tokens/:token/access      -     -     -     -     -     -     -     200   403B  200
POST /api/v1/publishers/:publisher/api-tokens/:token/rotate       -     -     -     -     201   403B  403B  201   403B  201
DELETE /api/v1/publishers/:publisher/api-tokens/:token            -     -     -     -     200   403B  403B  200   403B  200
GET /api/v1/api-tokens                                            -     -     -     -     -     -     -     200   403B  200
GET /api/v1/publishers/:publisher/public-keys                     -     -     -     -     200   200   403B  200   403B  200
POST /api/v1/publishers/:publisher/public-keys                    -     -     -     -     201   403B  403B  201   403B  201
POST /api/v1/publishers/:publisher/public-keys/:key/rotate        -     -     -     -     201   403B  403B  201   403B  201
DELETE /api/v1/publishers/:publisher/public-keys/:key             -     -     -     -     200   403B  403B  200   403B  200

GET /api/v1/audit                                                 -     -     -     -     200   200   200   200   200   200
GET /api/v1/overview                                              -     -     -     -     200   200   200   200   200   200
GET /api/v1/me                                                    -     -     -     -     200   200   200   200   200   200
GET /api/v1/directory/publishers                                  -     -     -     -     200   200   200   200   200   200
GET /api/v1/directory/sites                                       -     -     -     -     200   200   200   200   200   200
GET /api/v1/directory/placements                                  -     -     -     -     200   200   200   200   200   200
GET /api/v1/categories                                            -     -     -     -     200   200   200   200   200   200

POST /api/v1/advertisers                                          -     -     -     -     -     -     -     201   201   201
GET /api/v1/advertisers                                           -     -     -     -     -     -     -     200   200   200
GET /api/v1/advertisers/:advertiser                               -     -     -     -     -     -     -     200   404A  200
PUT /api/v1/advertisers/:advertiser                               -     -     -     -     -     -     -     200   404A  200
PATCH /api/v1/advertisers/:advertiser/status                      -     -     -     -     -     -     -     200   404A  200
POST /api/v1/advertisers/:advertiser/conversion-secret            -     -     -     -     -     -     -     201   404A  201
DELETE /api/v1/advertisers/:advertiser                            -     -     -     -     -     -     -     200   404A  200

POST /api/v1/offers                                               -     -     -     -     -     -     -     201   404A  201
GET /api/v1/offers                                                -     -     -     -     -     -     -     200   200   200
POST /api/v1/offers/import                                        -     -     -     -     -     -     -     200   200   200
GET /api/v1/offers/export                                         -     -     -     -     -     -     -     200   200   200
GET /api/v1/offers/:offer                                         -     -     -     -     -     -     -     200   404A  200
GET /api/v1/offers/:offer/pacing                                  -     -     -     -     -     -     -     200   404A  200
PUT /api/v1/offers/:offer                                         -     -     -     -     -     -     -     200   404A  200
PATCH /api/v1/offers/:offer/status                                -     -     -     -     -     -     -     200   404A  200
POST /api/v1/offers/:offer/creatives                              -     -     -     -     -     -     -     201   404A  201
GET /api/v1/offers/:offer/creatives                               -     -     -     -     -     -     -     200   404A  200
GET /api/v1/offers/:offer/creatives/:creative                     -     -     -     -     -     -     -     200   404A  200
PUT /api/v1/offers/:offer/creatives/:creative                     -     -     -     -     -     -     -     200   404A  200
PATCH /api/v1/offers/:offer/creatives/:creative/status            -     -     -     -     -     -     -     200   404A  200
DELETE /api/v1/offers/:offer/creatives/:creative                  -     -     -     -     -     -     -     200   404A  200
DELETE /api/v1/offers/:offer                                      -     -     -     -     -     -     -     200   404A  200
POST /api/v1/offers/forecast                                      -     -     -     -     -     -     -     200   404A  200
POST /api/v1/offers/explain                                       -     -     -     -     200   403B  404B  200   404B  200
GET /api/v1/hits                                                  -     -     -     -     -     -     -     200   200   200
GET /api/v1/rejects                                               -     -     -     -     200   200   200   200   200   200
POST /api/v1/rejects/replay                                       -     -     -     -     200   403B  200   200   200   200
GET /api/v1/dead-letters                                          -     -     -     -     200   200   200   200   200   200
GET /api/v1/operations                                            -     -     -     -     -     -     -     -     -     200
GET /api/v1/outbox                                                -     -     -     -     -     -     -     -     -     200
GET /api/v1/experiments                                           -     -     -     -     200   200   200   200   200   200
GET /api/report                                                   -     -     -     -     200   200   200   200   200   200

POST /api/site                                                    -     -     -     -     201   403B  201   -     -     -
GET /api/site                                                     -     -     -     -     200   200   200   -     -     -
GET /api/site/:site                                               -     -     -     -     200   200   404A  -     -     -
PUT /api/site/:site                                               -     -     -     -     200   403B  404A  -     -     -
PATCH /api/site/:site/status                                      -     -     -     -     200   403B  404A  -     -     -
PATCH /api/site/:site/ads                                         -     -     -     -     200   403B  404A  -     -     -
GET /api/site/:site/events                                        -     -     -     -     200   200   404A  200   404A  200
DELETE /api/site/:site                                            -     -     -     -     200   403B  404A  -     -     -

POST /api/placements                                              -     -     -     -     201   403B  201   -     -     -
GET /api/placements                                               -     -     -     -     200   200   200   -     -     -
GET /api/placements/:placement                                    -     -     -     -     200   200   404A  -     -     -
PUT /api/placements/:placement                                    -     -     -     -     200   403B  404A  -     -     -
PATCH /api/placements/:placement/status                           -     -     -     -     200   403B  404A  -     -     -
DELETE /api/placements/:placement                                 -     -     -     -     200   403B  404A  -     -     -

GET /api/odata                                                    -     -     200   -     -     -     -     -     -     -
GET /conversion                                                   -     -     -     200   -     -     -     -     -     -
POST /conversion                                                  -     -     -     200   -     -     -     -     -     -
POST /conversion/reversal                                         -     -     -     200   -     -     -     -     -     -

GET /vdata                                                        204   204   204   204   204   204   204   204   204   204
POST /vdata                                                       204   204   204   204   204   204   204   204   204   204
GET /close                                                        204   204   204   204   204   204   204   204   204   204
POST /close                                                       204   204   204   204   204   204   204   204   204   204
GET /click                                                        302   302   302   302   302   302   302   302   302   302
POST /click                                                       302   302   302   302   302   302   302   302   302   302
GET /health                                                       200   200   200   200   200   200   200   200   200   200
GET /:file{embed\\.js(?:on)?}                                     200   200   200   200   200   200   200   200   200   200
GET /:file{embed\\.[0-9a-f]{16}\\.js(?:on)?}                      200   200   200   200   200   200   200   200   200   200
GET /icons/:file{[a-z0-9-]+\\.svg}                                200   200   200   200   200   200   200   200   200   200
GET /privacy                                                      200   200   200   200   200   200   200   200   200   200
GET /ui/:file{[a-z]+\\.(?:js|css)}                                200   200   200   200   200   200   200   200   200   200
GET /ui/webview                                                   200   200   200   200   200   200   200   200   200   200
GET /demo                                                         200   200   200   200   200   200   200   200   200   200
GET /demo/figures                                                 200   200   200   200   200   200   200   200   200   200
GET /docs                                                         200   200   200   200   200   200   200   200   200   200
GET /docs/:file{[a-z-]+\\.(?:png|svg)}                            200   200   200   200   200   200   200   200   200   200
GET /docs/:guide{[a-z-]+}                                         200   200   200   200   200   200   200   200   200   200
GET /console/demo.json                                            404B  404B  404B  404B  404B  404B  404B  404B  404B  404B
GET /console/:file{[\\w-]+\\.(?:js|css)}                          200   200   200   200   200   200   200   200   200   200
GET /console/*                                                    200   200   200   200   200   200   200   200   200   200
GET /                                                             200   200   200   200   200   200   200   200   200   200
GET /openapi.json                                                 200   200   200   200   200   200   200   200   200   200
GET /llms.txt                                                     200   200   200   200   200   200   200   200   200   200
GET /favicon.ico                                                  200   200   200   200   200   200   200   200   200   200
GET /robots.txt                                                   200   200   200   200   200   200   200   200   200   200
`;

const expectedOf = (cell: string): Expected => {
  const [, status = "", shape] = /^(\d{3})([AB]?)$/.exec(cell === "-" ? "401B" : cell) ?? [];
  if (status === "") throw new Error(`${cell} is no cell of the matrix`);
  return { status: Number(status), shape: shape === "A" || shape === "B" ? shape : null };
};

const rowOf = (line: string): [string, Record<Principal, Expected>] => {
  const [method = "", path = "", ...cells] = line.split(/ +/);
  if (cells.length !== PRINCIPALS.length) throw new Error(`${method} ${path} has ${cells.length} cells`);
  const answers = PRINCIPALS.map((principal, i) => [principal, expectedOf(cells[i] ?? "")] as const);
  return [`${method} ${path}`, Object.fromEntries(answers) as Record<Principal, Expected>];
};

/** Maps each route to the answer for each principal. */
export const MATRIX: ReadonlyMap<string, Record<Principal, Expected>> = new Map(
  TABLE.trim()
    .split("\n")
    .slice(1)
    .filter((line) => line !== "")
    .map(rowOf),
);
