/** Sets about how many characters are sent at once. */
const PIECE = 65_536;

const ENCODER = new TextEncoder();

/**
 * Returns a body made of many texts, one after the other. Each is made when it is sent, so that a large answer is never
 * in memory as a whole. Making one must not fail, since the answer has begun by then.
 */
export const inPieces = (texts: Iterable<string>): ReadableStream<Uint8Array> => {
  const left = texts[Symbol.iterator]();
  return new ReadableStream({
    pull: (controller) => {
      let piece = "";
      while (piece.length < PIECE) {
        const next = left.next();
        if (next.done) break;
        piece += next.value;
      }
      if (piece === "") controller.close();
      else controller.enqueue(ENCODER.encode(piece));
    },
  });
};

/** Writes `{success: true, data: […]}` in pieces, one for each row. */
export const rowsAsJson = function* (rows: Iterable<object>): Generator<string, void> {
  yield '{"success":true,"data":[';
  let comma = "";
  for (const row of rows) {
    yield comma + JSON.stringify(row);
    comma = ",";
  }
  yield "]}";
};
