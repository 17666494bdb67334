import { demo } from "../../../db/demo/network.ts";
import type { Target } from "./described.ts";

/** Lists a page or file of each kind that the service has, and unknown addresses. None is part of the API. */
const ADDRESSES = [
  "/embed.js",
  "/embed.json",
  "/embed.0123456789abcdef.js",
  "/openapi.json",
  "/icons/coffee.svg",
  "/privacy",
  "/ui/webview",
  "/ui/demo.js",
  "/demo",
  "/demo/figures",
  "/console",
  "/console/publishers",
  "/console/demo.json",
  "/console/app-0.js",
  "/docs",
  "/docs/errors",
  "/docs/looks.png",
  "/llms.txt",
  "/favicon.ico",
  "/robots.txt",
  "/api/v1/nothing/here",
];

/** Lists the pages and files as targets, whose last part a plan replaces. */
export const PAGES: Target[] = ADDRESSES.map((path) => ({
  name: `GET ${path}`,
  family: "page",
  method: "GET",
  address: (_, id) => (id === undefined ? path : `${path.slice(0, path.lastIndexOf("/"))}/${id}`),
  query: () => "",
  headers: () => ({}),
  bearer: () => demo.publicKey,
}));
