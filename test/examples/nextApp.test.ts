import { twoCustomersApps } from "./twoCustomersApps.ts";
import { twoCustomersSuite } from "./twoCustomersSuite.ts";

twoCustomersSuite(twoCustomersApps.next);
