import { loadWords, readerLanguage } from "./language/index.ts";
import { define } from "./parts/index.ts";
import { ConsoleApp, shellStyles } from "./shell/index.ts";
import { addStyleRoot, adoptStyles, elements, parts, tokens } from "./styles/index.ts";

// The entry script of the console's page. The host serves it as the entry `console` of its assets.
document.documentElement.lang = readerLanguage;
addStyleRoot(document);
adoptStyles(tokens, elements, parts, shellStyles);
void loadWords().then(() => {
  define("console-app", ConsoleApp);
  document.body.append(document.createElement("console-app"));
});
