/**
 * Returns a dynamic import that can be repeated after a failure. Browsers cache a failed import by its URL
 * (https://github.com/whatwg/html/issues/6768), so the next call uses another URL. This works only if the error
 * contains the URL. Safari's errors do not contain it, so readers must reload the page there. Rejects as the import
 * does.
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

/** Returns the URL of the script from the browser's error; undefined for a script of another origin. */
function addressIn(failure: unknown): string | undefined {
  const [found] = /https?:\/\/[^\s"'`?]+/.exec(String(failure)) ?? [];
  const isOurs = found !== undefined && new URL(found).origin === new URL(import.meta.url).origin;
  return isOurs ? found : undefined;
}
