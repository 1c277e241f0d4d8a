import { chooseWords } from "../language/index.ts";

/** The words of the shared parts. */
export const words = chooseWords({
  en: {
    close: "Close",
    cancel: "Cancel",
    copied: "Copied",
    copyRequestId: "Copy request id",
    failed: "This did not work",
    loading: "Loading",
    tryAgain: "Try again",
    noRights: "You may not see this",
    noRightsText: "Ask an owner of your organization for access, or sign in as another user.",
    requestId: (id: string) => `Request ${id}`,
    undo: "Undo",
  },
});
