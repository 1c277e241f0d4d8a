/**
 * The table for `select` and `narrow`. For each of the 256 subsets of eight rows, it lists the rows of the subset in
 * ascending order, with one byte each and padded with zeros.
 */
export const selectingTable: Uint8Array = new Uint8Array(256 * 8);

for (let set = 0; set < 256; set++) {
  let at = set * 8;
  for (let row = 0; row < 8; row++) if ((set >> row) & 1) selectingTable[at++] = row;
}
