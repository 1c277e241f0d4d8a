import { inSpan, type Metrics } from "../../base/index.ts";
import type { Attempt } from "./driver.ts";
import type { Send } from "./sendTo.ts";

/** Wraps `send` so that each attempt has its own span and is counted by channel type. */
export function measureSend(send: Send, metrics?: Pick<Metrics, "delivery">): Send {
  return (message, channel) => {
    const startedMs = performance.now();
    // Digests and messages to owners are mailed without a channel.
    const type = channel?.type ?? "email";
    const note = (outcome: Attempt["outcome"] | "error") => {
      const seconds = (performance.now() - startedMs) / 1000;
      metrics?.delivery({ channel: type, outcome, seconds });
    };
    return inSpan("delivery", { kind: "producer" }, async (span) => {
      span.setAttribute("manifold.channel", type);
      try {
        const attempt = await send(message, channel);
        span.setAttribute("manifold.outcome", attempt.outcome);
        note(attempt.outcome);
        return attempt;
      } catch (failure) {
        note("error");
        throw failure;
      }
    });
  };
}
