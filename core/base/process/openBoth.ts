interface Closable {
  close(): Promise<void>;
}

/** Opens two parts in parallel. If one part fails to open, closes the other part and throws the first failure. */
export async function openBoth<One extends Closable, Other extends Closable>(
  openOne: () => Promise<One>,
  openOther: () => Promise<Other>,
): Promise<readonly [One, Other]> {
  const opened = await Promise.allSettled([openOne(), openOther()]);
  const [one, other] = opened;
  if (one.status === "fulfilled" && other.status === "fulfilled") return [one.value, other.value];
  for (const each of opened) if (each.status === "fulfilled") await each.value.close();
  throw opened.find((each) => each.status === "rejected")?.reason;
}
