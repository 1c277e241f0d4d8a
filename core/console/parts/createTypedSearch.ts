const pauseMs = 120;

/** Makes the handler of a search box: after a pause in typing, `go` gets `?search=…`, or "" for an empty box. */
export function createTypedSearch(go: (query: string) => void): (text: string) => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return (text) => {
    clearTimeout(waiting);
    waiting = setTimeout(
      () => go(text === "" ? "" : `?search=${encodeURIComponent(text)}`),
      pauseMs,
    );
  };
}
