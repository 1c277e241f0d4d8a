import { ClientError } from "./clientError.ts";

/** Returns the bytes of a response as they arrive. The stream fails with `ClientError` if the connection is lost. */
export async function answerBytes(
  { body, url }: Response,
  ending: AbortSignal | undefined,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const reader = body?.getReader();
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      try {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (failure) {
        throw ClientError.of(failure, url, ending);
      }
    },
    cancel: (reason) => reader?.cancel(reason),
  });
}
