import type { Handler, ResourceHandlers } from "../../base/index.ts";
import type { ActionOptions } from "./actionOptions.ts";
import { backtestAlert } from "./backtestAlert.ts";
import { previewAlert } from "./previewAlert.ts";
import { resendDelivery } from "./resendDelivery.ts";
import { testAlert } from "./testAlert.ts";
import { testChannel } from "./testChannel.ts";

/** The actions that a host adds to alerts, channels, deliveries and plugins. */
export type JobHandlers = Readonly<
  Record<"alert" | "channel" | "delivery" | "plugin", ResourceHandlers>
>;

/** Creates the actions that test an alert, a channel or a plugin, and the action that sends a message again. */
export function createJobHandlers(
  options: ActionOptions & { readonly testPlugin: Handler },
): JobHandlers {
  return {
    alert: {
      test: (call) => testAlert(call, options),
      backtest: (call) => backtestAlert(call, options),
      preview: (call) => previewAlert(call, options),
    },
    channel: { test: (call) => testChannel(call, options) },
    plugin: { test: options.testPlugin },
    delivery: { resend: (call) => resendDelivery(call, options) },
  };
}
