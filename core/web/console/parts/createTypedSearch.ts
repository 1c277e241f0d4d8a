const pauseMs = 80;

/**
 * Makes the handler of a search box: `go` gets `?search=…`, or "" for an empty box, at the first key and after each
 * pause in typing.
 */
export function createTypedSearch(go: (query: string) => void): (text: string) => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let typedAt = -Infinity;
  return (text) => {
    clearTimeout(waiting);
    const send = () => go(text === "" ? "" : `?search=${encodeURIComponent(text)}`);
    const now = performance.now();
    const isFirst = now - typedAt > pauseMs;
    typedAt = now;
    if (isFirst) send();
    else waiting = setTimeout(send, pauseMs);
  };
}
