/** Holds the demo network's keys, and the placement to try. */
export type DemoValues = { publicKey: string; privateKey: string; platformToken: string; placementId: string };

const head = (address: string) => `
Lanyap is running at ${address}   (press Ctrl-C to stop it)
`;

const withoutDemo = (address: string, adminToken: string): string => `${head(address)}
  console         ${address}/console
  admin token     ${adminToken}

The database is not on this machine, so it got no demo network: everybody knows its keys.
To add it all the same: npm start -- --demo

Make a platform of your own:

  curl -X POST -H 'Authorization: Bearer ${adminToken}' -H 'Content-Type: application/json' \\
    -d '{"name": "My platform"}' '${address}/api/v1/platforms'
`;

const withDemo = (address: string, adminToken: string, demo: DemoValues): string => {
  const query = new URLSearchParams({
    placementId: demo.placementId,
    sessionId: "demo-session",
    "at.orderid": "1001",
    "at.country": "US",
    "at.language": "en",
    "at.amount": "79.90",
    "at.currency": "USD",
  });
  return `${head(address)}
  demo store      ${address}/demo
  console         ${address}/console

  public key      ${demo.publicKey}
  private key     ${demo.privateKey}
  platform token  ${demo.platformToken}
  admin token     ${adminToken}

Ask for offers for an order:

  curl -H 'Authorization: Bearer ${demo.publicKey}' \\
    '${address}/api/odata?${query.toString()}'
`;
};

/** Returns what the console's sign-in page offers on this machine: the demo's tokens with their owners, as JSON. */
export const consoleDemo = (adminToken: string, demo: DemoValues): string =>
  JSON.stringify([
    { name: "Demo publisher", token: demo.privateKey },
    { name: "Demo platform", token: demo.platformToken },
    { name: "Administrator", token: adminToken },
  ]);

/**
 * Formats the text printed once everything runs: the address, credentials and a request to try.
 *
 * @param demo null where the database has no demo network of this run
 */
export const bannerText = (address: string, adminToken: string, demo: DemoValues | null): string =>
  demo ? withDemo(address, adminToken, demo) : withoutDemo(address, adminToken);
