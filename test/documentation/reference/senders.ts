import type { Send } from "./runExamples.ts";

/** Sends the body of an example without writing it as code. */
export const sendBody: Send = async ({ resource, action, members, isText }, world) => {
  const { url, key, token } = world;
  const response = await fetch(`${url}/0.1.0/${resource}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ action, key, token, ...world.real(members) }),
  });
  return isText && response.ok ? response.text() : response.json();
};
