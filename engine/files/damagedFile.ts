/** Thrown if the bytes of a file do not match their checksum, or if the file ends too early. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
}
