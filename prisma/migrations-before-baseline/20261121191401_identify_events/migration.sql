-- CreateTable
CREATE TABLE "identify_event" (
    "id" SERIAL NOT NULL,
    "event" TEXT NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "visit" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "identify_event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "identify_event_sent_at_idx" ON "identify_event"("sent_at");

-- CreateIndex
CREATE INDEX "identify_event_customer_id_idx" ON "identify_event"("customer_id");

-- AddForeignKey
ALTER TABLE "identify_event" ADD CONSTRAINT "identify_event_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

alter table identify_event
  add constraint identify_event_event_check check (event in ('login', 'sign_up')),
  add constraint identify_event_visit_check check (visit is null or char_length(visit) <= 64);

-- Words are cached like the catalogue.
do $$
declare t text;
begin
  foreach t in array array['content_page', 'faq_entry', 'blog_post'] loop
    execute format('create trigger %I after insert or update or delete on %I for each statement execute function notify_catalogue()', t || '_changed', t);
  end loop;
end $$;
