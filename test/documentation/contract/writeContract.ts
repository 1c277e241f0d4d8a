import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../docs/.vitepress/pages.ts";
import { contractPage, writeContractPage } from "./contractPage.ts";

// Writes the page about the contract.
writeFileSync(join(root, contractPage), writeContractPage());
