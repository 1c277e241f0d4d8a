import { guestStyles, ManifoldAsk, ManifoldEditor, ManifoldExplore } from "./guest/index.ts";
import { define } from "./parts/index.ts";
import { adoptStyles, elements, parts, tokens } from "./styles/index.ts";

// The script that pages of other sites load as /editor.js. It registers the elements in which people edit dashboards,
// explore datasets and ask questions.
adoptStyles(tokens, elements, parts, guestStyles);
define("manifold-editor", ManifoldEditor);
define("manifold-explore", ManifoldExplore);
define("manifold-ask", ManifoldAsk);
