/** Loads what encodes files, with its libraries: 40 to 90 ms of a thread each, and 6 MB, which the first file would wait for. */
export async function warmIngest(): Promise<void> {
  await import("./encodeParquet.ts");
  await import("./encodeArrow.ts");
}
