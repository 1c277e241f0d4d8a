/** Parts that were opened one after another and are closed in reverse order. */
export type Opened<Parts> = Parts & {
  /** Closes all parts, even if closing some of them fails. A second call waits for the first. */
  close(): Promise<void>;
};

/**
 * Opens parts one after another. As soon as a part is open, `open` must register a function that closes it. If a step
 * fails, the parts that are already open are closed in reverse order, and the failure is thrown.
 */
export async function openParts<Parts extends object>(
  open: (opening: AsyncDisposableStack) => Promise<Parts>,
  onCloseFailed: (failure: unknown) => void,
): Promise<Opened<Parts>> {
  const opening = new AsyncDisposableStack();
  try {
    const parts = await open(opening);
    let closing: Promise<void> | undefined;
    return { ...parts, close: () => (closing ??= opening.disposeAsync()) };
  } catch (failure) {
    // The first failure is thrown, because later failures may only be its consequences.
    await opening.disposeAsync().catch(onCloseFailed);
    throw failure;
  }
}
