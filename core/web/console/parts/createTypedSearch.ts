const pauseMs = 80;

/**
 * Returns the input handler of a search box. After the first key press and after each pause in typing, it calls `go`
 * with `?search=…`, or with "" for an empty box.
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
