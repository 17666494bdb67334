import { LanyapError } from "#client";
import { MAX_TRANSFERRED } from "../../../core/transfer-limits.ts";
import { api, READING } from "../../api/client.ts";
import type { Saved } from "../../blocks/download.tsx";
import type { Filters } from "../../core/filters.ts";
import { plural } from "../../core/format.ts";
import { readParts, recordsOf } from "../../core/records.ts";

const TRIES = 3;
const TYPES = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;

/** Names the forms in which offers are exported, which are also the files' extensions. */
export type ExportForm = keyof typeof TYPES;

/** Reads all offers that match filters as the lines of a file; null if they moved meanwhile. */
const readAll = async (filters: Filters, form: ExportForm): Promise<{ head: string; lines: string[] } | null> => {
  let head = "";
  const read = async (skip: number): Promise<string[]> => {
    const asked = { ...filters, skip, take: MAX_TRANSFERRED, ...READING };
    if (form === "ndjson") return (await api.exportOffers(asked)).data.map((offer) => `${JSON.stringify(offer)}\n`);
    const [first = "", ...lines] = recordsOf((await api.exportOffers({ ...asked, accept: TYPES.csv })).data);
    head = first;
    return lines;
  };
  const lines = await readParts(read, MAX_TRANSFERRED);
  return lines && { head, lines };
};

/**
 * Makes one file of all offers that match filters, however many there are.
 *
 * @throws {LanyapError} if they keep moving while they are read
 */
export const exportFile = async (filters: Filters, form: ExportForm): Promise<Saved> => {
  for (let times = 0; times < TRIES; times += 1) {
    const read = await readAll(filters, form);
    if (!read) continue;
    const { head, lines } = read;
    const name = `offers.${form}`;
    const content = new Blob([head, ...lines], { type: TYPES[form] });
    return { name, content, told: `${name} has ${plural(lines.length, "offer")}.` };
  }
  throw new LanyapError("CONFLICT", "Offers changed while they were read. Try again");
};
