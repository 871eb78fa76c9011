import { workerData } from "node:worker_threads";

import { runSheetJob, type SheetJob } from "./job.ts";

// The thread of one job (`SheetFolders`): drawing the PDF files of a large day takes seconds of processor time.
const { job, directory } = workerData as { job: SheetJob; directory: string };
await runSheetJob(job, directory);
