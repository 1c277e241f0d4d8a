/**
 * Makes an import that can be repeated after a failure. Browsers remember a script that did not arrive by its address
 * (https://github.com/whatwg/html/issues/6768), so the next call asks for it under another one, where the failure names
 * its address: Safari does not, and needs a reload. Rejects as the import does.
 */
export function retryImport<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let address: string | undefined;
  let retryCount = 0;
  return async () => {
    try {
      return address === undefined
        ? await load()
        : await import(/* @vite-ignore */ `${address}?again=${++retryCount}`);
    } catch (failure) {
      address ??= addressIn(failure);
      throw failure;
    }
  };
}

/** The address of the script in a failure of the browser; undefined for a script of another origin. */
function addressIn(failure: unknown): string | undefined {
  const [found] = /https?:\/\/[^\s"'`?]+/.exec(String(failure)) ?? [];
  const isOurs = found !== undefined && new URL(found).origin === new URL(import.meta.url).origin;
  return isOurs ? found : undefined;
}
