import { describeApi } from "./apiDescription.ts";
import type { ExampleWorld } from "./exampleWorld.ts";
import { bearer, pathExamples, type PathExample } from "./pathExamples.ts";
import { writeAnswer } from "./runExamples.ts";
import { sendBody } from "./senders.ts";

/** Sends a request to a path with the strings of the host. Resolves to the JSON answer, or to the text of a file. */
export type SendRequest = (request: PathExample, world: ExampleWorld) => Promise<unknown>;

/** Returns the heading below which the page shows an example. */
function headingOf({ name, method, path }: PathExample): string {
  const found = Object.entries(describeApi().paths).find(([, methods]) =>
    Object.values(methods).some(({ operationId }) => operationId === name),
  );
  return `${method} ${found?.[0] ?? path}`;
}

/** Runs the examples of paths on a world. Returns the text of each answer by `paths` and its heading. */
export async function runPaths(
  world: ExampleWorld,
  send: SendRequest,
): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const request of pathExamples) {
    await world.prepare(request.name);
    const call = {
      resource: "paths",
      action: request.name,
      members: request.body ?? {},
      isText: false,
    };
    answers.set(
      `paths ${headingOf(request)}`,
      writeAnswer(call, await send(request, world), world),
    );
  }
  return answers;
}

/** Sends a request without writing it as code. */
export const sendRequest: SendRequest = async ({ method, path, headers, body, isText }, world) => {
  const real = world.real({ path, headers, body });
  const response = await fetch(world.url + real.path, {
    method,
    headers: Object.fromEntries(
      Object.entries({ ...(body && { "Content-Type": "application/json" }), ...real.headers }).map(
        ([name, value]) => [name, value === bearer ? `Bearer ${world.key}:${world.token}` : value],
      ),
    ),
    ...(body && { body: JSON.stringify(real.body) }),
  });
  return isText ? response.text() : response.json();
};

/** Returns the answer of a call that the host refuses, for the page of errors. */
export async function runError(world: ExampleWorld): Promise<ReadonlyMap<string, string>> {
  const call = {
    resource: "tag",
    action: "create",
    members: { properties: { tag: 3, colour: "red" } },
    isText: false,
  };
  return new Map([["errors Errors", writeAnswer(call, await sendBody(call, world), world)]]);
}
