/** Thrown when bytes of a file do not match their checksum, or when the file ends too early. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
}
