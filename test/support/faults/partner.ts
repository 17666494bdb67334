import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Received = { method: string | undefined; headers: IncomingMessage["headers"]; body: unknown };

/** Answers a request of the partner's ad server. */
export type Answer = (response: ServerResponse) => void;

/** Stands in for the partner's ad server: what it received, and how it answers from now on. */
export type Partner = { url: string; received: Received[]; answer: Answer; close: () => void };

/** Makes an answer from a status and a body, which is sent as it is if it is a text, else as JSON. */
export const says =
  (status: number, body: unknown): Answer =>
  (response) =>
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));

/** Opens the partner's ad server on a port of its own. */
export const openPartner = async (): Promise<Partner> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, headers } = request;
      partner.received.push({ method, headers, body: JSON.parse(Buffer.concat(chunks).toString()) as unknown });
      partner.answer(response);
    });
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const { port } = server.address() as AddressInfo;
  const partner: Partner = {
    url: `http://127.0.0.1:${port}/zones`,
    received: [],
    answer: says(200, {}),
    close: () => void server.close(),
  };
  return partner;
};
