/** For each of the 256 sets of eight rows the rows in it, ascending, a byte each, and then zeros; what `select` and `narrow` look up. */
export const selectingTable: Uint8Array = new Uint8Array(256 * 8);

for (let set = 0; set < 256; set++) {
  let at = set * 8;
  for (let row = 0; row < 8; row++) if ((set >> row) & 1) selectingTable[at++] = row;
}
