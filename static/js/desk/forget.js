// The page where people log in: nobody is logged in here, so the lists of the desk are not kept on this device.

import { forgetLists } from "./kept.js";

forgetLists();
