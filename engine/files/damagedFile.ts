/** What is read from a file does not match its checksum, or the file ends too early. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
}
