/**
 * Creates a reader of server-sent events, which takes the chunks of a body and calls `onData` with the data of each
 * event. Other fields are ignored. An event without a final empty line is dropped, as the standard requires (WHATWG
 * HTML, 9.2.6).
 */
export function createEventReader(onData: (data: string) => void): (part: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  let lines: string[] = [];
  return (part) => {
    rest += decoder.decode(part, { stream: true });
    // After a final carriage return, a line feed may still follow in the next chunk.
    const parts = rest.split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? "";
    for (const line of parts) {
      if (line === "") {
        if (lines.length > 0) onData(lines.join("\n"));
        lines = [];
      } else if (line.startsWith("data:")) lines.push(line.slice(5).replace(/^ /, ""));
    }
  };
}
