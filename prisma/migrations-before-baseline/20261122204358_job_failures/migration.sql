-- CreateTable
CREATE TABLE "job_failure" (
    "job" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 1,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_failure_pkey" PRIMARY KEY ("job","subject")
);

-- Written by hand: what Prisma's datamodel cannot say.
