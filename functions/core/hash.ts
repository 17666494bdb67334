/** FNV-1a of a text's UTF-16 units, 32 bits. Two texts that differ in one character always differ in it. */
export const hash32 = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
};

/** Two hashes made into one whose every bit depends on all of theirs (MurmurHash3's finaliser). */
export const mix32 = (a: number, b: number): number => {
  let hash = a ^ Math.imul(b, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
