/**
 * Hashes a text's UTF-16 units with FNV-1a, to 32 bits without a sign. Texts of one length that differ in a single unit
 * never share a hash.
 */
export const hash32 = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
};

/** Mixes two hashes into one, of which every bit depends on all bits of both (MurmurHash3's finaliser). */
export const mix32 = (a: number, b: number): number => {
  let hash = a ^ Math.imul(b, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
