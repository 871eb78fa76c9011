-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "customer" (
    "id" SERIAL NOT NULL,
    "email" TEXT,
    "email_normal" TEXT,
    "password_hash" TEXT,
    "password_changed_at" TIMESTAMPTZ(3),
    "first_name" TEXT NOT NULL DEFAULT '',
    "last_name" TEXT NOT NULL DEFAULT '',
    "handle" TEXT,
    "phone" TEXT,
    "zip_code" TEXT,
    "hub_id" INTEGER,
    "avatar_id" TEXT,
    "is_gluten_free" BOOLEAN NOT NULL DEFAULT false,
    "is_vegan" BOOLEAN NOT NULL DEFAULT false,
    "subscribed_all_messages" BOOLEAN NOT NULL DEFAULT true,
    "subscribed_marketing_emails" BOOLEAN NOT NULL DEFAULT false,
    "subscribed_marketing_sms" BOOLEAN NOT NULL DEFAULT false,
    "data_source" TEXT,
    "player_id" TEXT,
    "os" TEXT,
    "trk" TEXT,
    "utm_source" TEXT,
    "utm_campaign" TEXT,
    "referred_by_id" INTEGER,
    "auto_checkout_status" INTEGER NOT NULL DEFAULT 0,
    "default_tip" INTEGER NOT NULL DEFAULT 0,
    "credit_cents" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "customer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "address" (
    "id" SERIAL NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "address2" TEXT NOT NULL DEFAULT '',
    "city" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "zip_code" TEXT NOT NULL,
    "instructions" TEXT NOT NULL DEFAULT '',
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "address_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "guest" (
    "id" UUID NOT NULL,
    "hub_id" INTEGER NOT NULL,
    "zip_code" TEXT,
    "lat" DOUBLE PRECISION,
    "lng" DOUBLE PRECISION,
    "trk" TEXT,
    "utm_source" TEXT,
    "utm_campaign" TEXT,
    "player_id" TEXT,
    "os" TEXT,
    "referred_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "guest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "guest_id" UUID,
    "customer_id" INTEGER,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bridge_token" (
    "token_hash" TEXT NOT NULL,
    "session_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "bridge_token_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "password_reset" (
    "token_hash" TEXT NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "password_reset_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "data_export" (
    "token_hash" TEXT NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "data_export_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "deletion" (
    "customer_id" INTEGER NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deletion_pkey" PRIMARY KEY ("customer_id")
);

-- CreateTable
CREATE TABLE "cart" (
    "id" SERIAL NOT NULL,
    "customer_id" INTEGER,
    "guest_id" UUID,
    "discount_code_id" INTEGER,
    "version" INTEGER NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cart_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cart_item" (
    "id" SERIAL NOT NULL,
    "cart_id" INTEGER NOT NULL,
    "variant_id" INTEGER NOT NULL,
    "bundle_id" INTEGER,
    "quantity" INTEGER NOT NULL,
    "watching" BOOLEAN NOT NULL DEFAULT false,
    "subscription_interval" INTEGER,
    "seen_price_cents" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cart_item_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "picture" (
    "id" TEXT NOT NULL,
    "alt" TEXT NOT NULL DEFAULT '',
    "thumbhash" TEXT NOT NULL DEFAULT '',
    "recipe" JSONB,
    "file" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "picture_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "vendor" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "city" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "email" TEXT,
    "avatar_id" TEXT,
    "hero_id" TEXT,
    "is_published" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "vendor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "product" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "vendor_id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "new_description" TEXT,
    "tags" TEXT[],
    "badge" INTEGER,
    "ribbon_type" TEXT,
    "ribbon_text" TEXT,
    "discount_notes" TEXT,
    "origin_country" TEXT,
    "origin_state" TEXT,
    "origin_county" TEXT,
    "processor" TEXT,
    "ingredients" TEXT,
    "storage" TEXT NOT NULL DEFAULT 'dry',
    "is_published" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "product_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "product_picture" (
    "product_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "picture_id" TEXT NOT NULL,

    CONSTRAINT "product_picture_pkey" PRIMARY KEY ("product_id","position")
);

-- CreateTable
CREATE TABLE "variant" (
    "id" SERIAL NOT NULL,
    "product_id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "unit" TEXT,
    "measure" TEXT,
    "measure_amount" DOUBLE PRECISION,
    "pre_order_date" DATE,

    CONSTRAINT "variant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "offer" (
    "id" SERIAL NOT NULL,
    "variant_id" INTEGER NOT NULL,
    "hub_id" INTEGER NOT NULL,
    "price_cents" INTEGER NOT NULL,
    "sale_price_cents" INTEGER,
    "inventory" INTEGER NOT NULL DEFAULT 0,
    "weekly_inventory" INTEGER,
    "is_published" BOOLEAN NOT NULL DEFAULT true,
    "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sold_out_at" TIMESTAMPTZ(3),
    "restocked_at" TIMESTAMPTZ(3),
    "on_sale_since" TIMESTAMPTZ(3),

    CONSTRAINT "offer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stock_adjustment" (
    "id" SERIAL NOT NULL,
    "offer_id" INTEGER NOT NULL,
    "amount" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stock_adjustment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "collection" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "image_id" TEXT,
    "parent_id" INTEGER,
    "position" INTEGER NOT NULL DEFAULT 0,
    "show_in_collections" BOOLEAN NOT NULL DEFAULT false,
    "show_in_main_menu" BOOLEAN NOT NULL DEFAULT false,
    "is_published" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "collection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "collection_product" (
    "collection_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "collection_product_pkey" PRIMARY KEY ("collection_id","product_id")
);

-- CreateTable
CREATE TABLE "bundle" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "image_id" TEXT,
    "discount_ppm" INTEGER NOT NULL DEFAULT 0,
    "is_published" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bundle_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bundle_hub" (
    "bundle_id" INTEGER NOT NULL,
    "hub_id" INTEGER NOT NULL,

    CONSTRAINT "bundle_hub_pkey" PRIMARY KEY ("bundle_id","hub_id")
);

-- CreateTable
CREATE TABLE "bundle_item" (
    "bundle_id" INTEGER NOT NULL,
    "variant_id" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL DEFAULT 1,
    "position" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "bundle_item_pkey" PRIMARY KEY ("bundle_id","variant_id")
);

-- CreateTable
CREATE TABLE "post" (
    "id" SERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "hub_id" INTEGER,
    "vendor_id" INTEGER,
    "product_id" INTEGER,
    "title" TEXT NOT NULL DEFAULT '',
    "subtitle" TEXT NOT NULL DEFAULT '',
    "text" TEXT NOT NULL DEFAULT '',
    "avatar_label" TEXT NOT NULL DEFAULT '',
    "text_image_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "post_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "banner" (
    "id" SERIAL NOT NULL,
    "hub_id" INTEGER,
    "type" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL DEFAULT '',
    "action" TEXT,
    "position" INTEGER NOT NULL DEFAULT 0,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),

    CONSTRAINT "banner_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "favorite_product" (
    "customer_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "favorite_product_pkey" PRIMARY KEY ("customer_id","product_id")
);

-- CreateTable
CREATE TABLE "follow" (
    "customer_id" INTEGER NOT NULL,
    "vendor_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "follow_pkey" PRIMARY KEY ("customer_id","vendor_id")
);

-- CreateTable
CREATE TABLE "review" (
    "id" SERIAL NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "rating_halves" INTEGER NOT NULL,
    "comment" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "review_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "question" (
    "id" SERIAL NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "question" TEXT NOT NULL,
    "answer" TEXT,
    "answered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "question_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "endorsement" (
    "customer_id" INTEGER NOT NULL,
    "vendor_id" INTEGER NOT NULL,
    "score" INTEGER NOT NULL,
    "relationship" INTEGER NOT NULL,
    "comment" TEXT,
    "has_visited" BOOLEAN,
    "visit_rating" INTEGER,
    "would_visit_again" BOOLEAN,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "endorsement_pkey" PRIMARY KEY ("customer_id","vendor_id")
);

-- CreateTable
CREATE TABLE "thread" (
    "id" SERIAL NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "vendor_id" INTEGER NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "thread_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message" (
    "id" SERIAL NOT NULL,
    "thread_id" INTEGER NOT NULL,
    "sender" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "answer_link" (
    "token_hash" TEXT NOT NULL,
    "vendor_id" INTEGER NOT NULL,
    "matter" TEXT NOT NULL,
    "matter_id" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "answer_link_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "content_page" (
    "slug" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "content_page_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "blog_post" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "image_id" TEXT,
    "author" TEXT NOT NULL,
    "publish_date" DATE NOT NULL,
    "category" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "vendor_id" INTEGER,

    CONSTRAINT "blog_post_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "faq_entry" (
    "id" SERIAL NOT NULL,
    "question" TEXT NOT NULL,
    "answer" TEXT NOT NULL,
    "trigger_phrases" TEXT[],
    "position" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "faq_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lead" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "zip_code" TEXT NOT NULL DEFAULT '',
    "data" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lead_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "problem_report" (
    "id" SERIAL NOT NULL,
    "order_id" INTEGER NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "message" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "problem_report_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "problem_photo" (
    "id" TEXT NOT NULL,
    "report_id" INTEGER NOT NULL,
    "file" TEXT NOT NULL,

    CONSTRAINT "problem_photo_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hub" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "delivery_day" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "delivery_fee_cents" INTEGER,
    "tax_rate_ppm" INTEGER NOT NULL DEFAULT 0,
    "processing_ppm" INTEGER NOT NULL DEFAULT 0,
    "processing_fixed_cents" INTEGER NOT NULL DEFAULT 0,
    "commission_ppm" INTEGER NOT NULL DEFAULT 150000,
    "zip_code" TEXT NOT NULL,
    "city" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "lat" DOUBLE PRECISION NOT NULL,
    "lng" DOUBLE PRECISION NOT NULL,
    "boundaries" JSONB NOT NULL DEFAULT '[]',
    "is_published" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "hub_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hub_zip" (
    "hub_id" INTEGER NOT NULL,
    "zip_code" TEXT NOT NULL,

    CONSTRAINT "hub_zip_pkey" PRIMARY KEY ("hub_id","zip_code")
);

-- CreateTable
CREATE TABLE "pickup_point" (
    "id" SERIAL NOT NULL,
    "hub_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "city" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "zip_code" TEXT NOT NULL,
    "hours" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "pickup_point_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hub_closure" (
    "hub_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "hub_closure_pkey" PRIMARY KEY ("hub_id","day")
);

-- CreateTable
CREATE TABLE "delivery" (
    "id" SERIAL NOT NULL,
    "hub_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "cutoff_at" TIMESTAMPTZ(3) NOT NULL,
    "auto_checkout_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery_run" (
    "delivery_id" INTEGER NOT NULL,
    "step" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "fencing_token" INTEGER NOT NULL DEFAULT 1,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "done_at" TIMESTAMPTZ(3),
    "errors" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "delivery_run_pkey" PRIMARY KEY ("delivery_id","step")
);

-- CreateTable
CREATE TABLE "mail" (
    "id" SERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "template" TEXT NOT NULL,
    "to_email" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "is_secret" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_claim" (
    "job" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "fencing_token" INTEGER NOT NULL DEFAULT 1,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "done_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "error" TEXT,

    CONSTRAINT "job_claim_pkey" PRIMARY KEY ("job","subject")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" SERIAL NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "data" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "market_fact" (
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "market_fact_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "checkout_attempt" (
    "id" UUID NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "cart_id" INTEGER,
    "hub_id" INTEGER NOT NULL,
    "delivery_id" INTEGER NOT NULL,
    "source" TEXT NOT NULL DEFAULT 'checkout',
    "state" TEXT NOT NULL,
    "choice" JSONB NOT NULL,
    "plan" JSONB NOT NULL,
    "order_total_cents" INTEGER NOT NULL,
    "amount_due_cents" INTEGER NOT NULL,
    "credit_cents" INTEGER NOT NULL DEFAULT 0,
    "payment_id" UUID,
    "failure" JSONB,
    "idempotency_key" TEXT,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "fencing_token" INTEGER NOT NULL DEFAULT 1,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "checkout_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stock_hold" (
    "attempt_id" UUID NOT NULL,
    "offer_id" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stock_hold_pkey" PRIMARY KEY ("attempt_id","offer_id")
);

-- CreateTable
CREATE TABLE "orders" (
    "id" INTEGER NOT NULL,
    "attempt_id" UUID,
    "attempt_part" INTEGER NOT NULL DEFAULT 0,
    "customer_id" INTEGER,
    "hub_id" INTEGER NOT NULL,
    "delivery_id" INTEGER NOT NULL,
    "add_on_to_id" INTEGER,
    "status" TEXT NOT NULL DEFAULT 'open',
    "type" TEXT NOT NULL DEFAULT 'delivery',
    "source" TEXT NOT NULL DEFAULT 'checkout',
    "pickup_point_id" INTEGER,
    "address" JSONB,
    "delivery_notes" TEXT NOT NULL DEFAULT '',
    "tip_percentage" INTEGER NOT NULL DEFAULT 0,
    "items_cents" INTEGER NOT NULL,
    "tip_cents" INTEGER NOT NULL,
    "tax_cents" INTEGER NOT NULL,
    "tax_rate_ppm" INTEGER NOT NULL,
    "card_fee_cents" INTEGER NOT NULL,
    "delivery_fee_cents" INTEGER NOT NULL,
    "discount_cents" INTEGER NOT NULL,
    "order_total_cents" INTEGER NOT NULL,
    "credit_cents" INTEGER NOT NULL DEFAULT 0,
    "payment_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "edited_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "order_item" (
    "id" SERIAL NOT NULL,
    "order_id" INTEGER NOT NULL,
    "variant_id" INTEGER NOT NULL,
    "bundle_id" INTEGER,
    "vendor_id" INTEGER NOT NULL,
    "product_title" TEXT NOT NULL,
    "variant_title" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "quantity_ordered" INTEGER NOT NULL,
    "list_price_cents" INTEGER NOT NULL,
    "sale_price_cents" INTEGER,
    "unit_price_cents" INTEGER NOT NULL,
    "discount_cents" INTEGER NOT NULL DEFAULT 0,
    "tax_cents" INTEGER NOT NULL DEFAULT 0,
    "commission_ppm" INTEGER NOT NULL,
    "subscription_interval" INTEGER,

    CONSTRAINT "order_item_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "actor" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "status" INTEGER,
    "response" JSONB,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("actor","key")
);

-- CreateTable
CREATE TABLE "survey_answer" (
    "order_id" INTEGER NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "question_id" TEXT NOT NULL,
    "response" TEXT NOT NULL,
    "comment" TEXT,
    "vendor_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "survey_answer_pkey" PRIMARY KEY ("order_id")
);

-- CreateTable
CREATE TABLE "payment" (
    "id" UUID NOT NULL,
    "customer_id" INTEGER,
    "provider" TEXT NOT NULL,
    "provider_ref" TEXT,
    "state" TEXT NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "captured_cents" INTEGER NOT NULL DEFAULT 0,
    "refunded_cents" INTEGER NOT NULL DEFAULT 0,
    "payment_method_id" INTEGER,
    "purpose" JSONB,
    "idempotency_key" TEXT,
    "authorized_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_method" (
    "id" SERIAL NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_ref" TEXT NOT NULL,
    "brand" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "exp_month" INTEGER NOT NULL,
    "exp_year" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL DEFAULT '',
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_method_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refund" (
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "provider_ref" TEXT,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refund_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "test_charge" (
    "id" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "captured_cents" INTEGER NOT NULL DEFAULT 0,
    "refunded_cents" INTEGER NOT NULL DEFAULT 0,
    "decline_code" TEXT,
    "card_last4" TEXT NOT NULL,
    "card_brand" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "test_charge_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_event" (
    "provider" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "processed_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_event_pkey" PRIMARY KEY ("provider","event_id")
);

-- CreateTable
CREATE TABLE "ledger_transaction" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "order_id" INTEGER,
    "payment_id" UUID,
    "note" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_transaction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "id" SERIAL NOT NULL,
    "transaction_id" INTEGER NOT NULL,
    "account" TEXT NOT NULL,
    "customer_id" INTEGER,
    "vendor_id" INTEGER,
    "amount_cents" INTEGER NOT NULL,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "discount_code" (
    "id" SERIAL NOT NULL,
    "code" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "percent_ppm" INTEGER,
    "amount_cents" INTEGER,
    "minimum_cents" INTEGER NOT NULL DEFAULT 0,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "use_limit" INTEGER,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "once_per_customer" BOOLEAN NOT NULL DEFAULT true,
    "hub_id" INTEGER,

    CONSTRAINT "discount_code_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "discount_use" (
    "id" SERIAL NOT NULL,
    "discount_code_id" INTEGER NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "once" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "discount_use_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "gift_card" (
    "id" SERIAL NOT NULL,
    "code_hash" TEXT NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "buyer_id" INTEGER,
    "payment_id" UUID,
    "recipient_email" TEXT NOT NULL,
    "message" TEXT NOT NULL DEFAULT '',
    "deliver_on" DATE NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "redeemed_by_id" INTEGER,
    "redeemed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "gift_card_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wagon_pass" (
    "id" SERIAL NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "plan" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "started_on" DATE NOT NULL,
    "renews_on" DATE,
    "ends_on" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wagon_pass_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "referral" (
    "friend_id" INTEGER NOT NULL,
    "referrer_id" INTEGER NOT NULL,
    "order_id" INTEGER,
    "credited_at" TIMESTAMPTZ(3),
    "refused" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "referral_pkey" PRIMARY KEY ("friend_id")
);

-- CreateTable
CREATE TABLE "subscription" (
    "id" SERIAL NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "variant_id" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL,
    "interval_weeks" INTEGER NOT NULL,
    "last_day" DATE,
    "paused_until" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bundle_subscription" (
    "customer_id" INTEGER NOT NULL,
    "bundle_id" INTEGER NOT NULL,
    "interval_weeks" INTEGER NOT NULL,
    "last_day" DATE,
    "paused_until" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bundle_subscription_pkey" PRIMARY KEY ("customer_id","bundle_id")
);

-- CreateTable
CREATE TABLE "subscription_skip" (
    "customer_id" INTEGER NOT NULL,
    "delivery_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscription_skip_pkey" PRIMARY KEY ("customer_id","delivery_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "customer_email_key" ON "customer"("email");

-- CreateIndex
CREATE INDEX "customer_email_normal_idx" ON "customer"("email_normal");

-- CreateIndex
CREATE INDEX "customer_hub_id_idx" ON "customer"("hub_id");

-- CreateIndex
CREATE INDEX "address_customer_id_idx" ON "address"("customer_id");

-- CreateIndex
CREATE INDEX "guest_created_at_idx" ON "guest"("created_at");

-- CreateIndex
CREATE INDEX "session_customer_id_idx" ON "session"("customer_id");

-- CreateIndex
CREATE INDEX "session_guest_id_idx" ON "session"("guest_id");

-- CreateIndex
CREATE INDEX "session_last_seen_at_idx" ON "session"("last_seen_at");

-- CreateIndex
CREATE INDEX "password_reset_customer_id_idx" ON "password_reset"("customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "cart_customer_id_key" ON "cart"("customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "cart_guest_id_key" ON "cart"("guest_id");

-- CreateIndex
CREATE INDEX "cart_item_cart_id_idx" ON "cart_item"("cart_id");

-- CreateIndex
CREATE INDEX "cart_item_variant_id_idx" ON "cart_item"("variant_id");

-- CreateIndex
CREATE UNIQUE INDEX "vendor_slug_key" ON "vendor"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "vendor_hash_key" ON "vendor"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "product_slug_key" ON "product"("slug");

-- CreateIndex
CREATE INDEX "product_vendor_id_idx" ON "product"("vendor_id");

-- CreateIndex
CREATE INDEX "product_created_at_idx" ON "product"("created_at");

-- CreateIndex
CREATE INDEX "variant_product_id_idx" ON "variant"("product_id");

-- CreateIndex
CREATE INDEX "offer_hub_id_idx" ON "offer"("hub_id");

-- CreateIndex
CREATE UNIQUE INDEX "offer_variant_id_hub_id_key" ON "offer"("variant_id", "hub_id");

-- CreateIndex
CREATE INDEX "stock_adjustment_offer_id_idx" ON "stock_adjustment"("offer_id");

-- CreateIndex
CREATE UNIQUE INDEX "collection_slug_key" ON "collection"("slug");

-- CreateIndex
CREATE INDEX "collection_parent_id_idx" ON "collection"("parent_id");

-- CreateIndex
CREATE INDEX "collection_product_product_id_idx" ON "collection_product"("product_id");

-- CreateIndex
CREATE UNIQUE INDEX "bundle_slug_key" ON "bundle"("slug");

-- CreateIndex
CREATE INDEX "bundle_hub_hub_id_idx" ON "bundle_hub"("hub_id");

-- CreateIndex
CREATE INDEX "post_hub_id_created_at_idx" ON "post"("hub_id", "created_at");

-- CreateIndex
CREATE INDEX "post_vendor_id_created_at_idx" ON "post"("vendor_id", "created_at");

-- CreateIndex
CREATE INDEX "banner_hub_id_idx" ON "banner"("hub_id");

-- CreateIndex
CREATE INDEX "favorite_product_product_id_idx" ON "favorite_product"("product_id");

-- CreateIndex
CREATE INDEX "follow_vendor_id_idx" ON "follow"("vendor_id");

-- CreateIndex
CREATE INDEX "review_product_id_idx" ON "review"("product_id");

-- CreateIndex
CREATE UNIQUE INDEX "review_customer_id_product_id_key" ON "review"("customer_id", "product_id");

-- CreateIndex
CREATE INDEX "question_product_id_idx" ON "question"("product_id");

-- CreateIndex
CREATE INDEX "question_customer_id_idx" ON "question"("customer_id");

-- CreateIndex
CREATE INDEX "endorsement_vendor_id_idx" ON "endorsement"("vendor_id");

-- CreateIndex
CREATE INDEX "thread_customer_id_updated_at_idx" ON "thread"("customer_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "thread_customer_id_vendor_id_key" ON "thread"("customer_id", "vendor_id");

-- CreateIndex
CREATE INDEX "message_thread_id_created_at_idx" ON "message"("thread_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "blog_post_slug_key" ON "blog_post"("slug");

-- CreateIndex
CREATE INDEX "blog_post_category_publish_date_idx" ON "blog_post"("category", "publish_date");

-- CreateIndex
CREATE INDEX "lead_kind_created_at_idx" ON "lead"("kind", "created_at");

-- CreateIndex
CREATE INDEX "problem_report_status_idx" ON "problem_report"("status");

-- CreateIndex
CREATE UNIQUE INDEX "hub_slug_key" ON "hub"("slug");

-- CreateIndex
CREATE INDEX "hub_zip_zip_code_idx" ON "hub_zip"("zip_code");

-- CreateIndex
CREATE INDEX "pickup_point_hub_id_idx" ON "pickup_point"("hub_id");

-- CreateIndex
CREATE INDEX "delivery_cutoff_at_idx" ON "delivery"("cutoff_at");

-- CreateIndex
CREATE INDEX "delivery_auto_checkout_at_idx" ON "delivery"("auto_checkout_at");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_hub_id_day_key" ON "delivery"("hub_id", "day");

-- CreateIndex
CREATE UNIQUE INDEX "mail_key_key" ON "mail"("key");

-- CreateIndex
CREATE INDEX "mail_sent_at_idx" ON "mail"("sent_at");

-- CreateIndex
CREATE INDEX "job_claim_lease_until_idx" ON "job_claim"("lease_until");

-- CreateIndex
CREATE INDEX "audit_entry_subject_idx" ON "audit_entry"("subject");

-- CreateIndex
CREATE UNIQUE INDEX "checkout_attempt_payment_id_key" ON "checkout_attempt"("payment_id");

-- CreateIndex
CREATE INDEX "checkout_attempt_cart_id_idx" ON "checkout_attempt"("cart_id");

-- CreateIndex
CREATE INDEX "checkout_attempt_idempotency_key_idx" ON "checkout_attempt"("idempotency_key");

-- CreateIndex
CREATE INDEX "checkout_attempt_state_lease_until_idx" ON "checkout_attempt"("state", "lease_until");

-- CreateIndex
CREATE INDEX "stock_hold_expires_at_idx" ON "stock_hold"("expires_at");

-- CreateIndex
CREATE INDEX "stock_hold_offer_id_idx" ON "stock_hold"("offer_id");

-- CreateIndex
CREATE INDEX "orders_customer_id_created_at_idx" ON "orders"("customer_id", "created_at");

-- CreateIndex
CREATE INDEX "orders_delivery_id_idx" ON "orders"("delivery_id");

-- CreateIndex
CREATE INDEX "orders_add_on_to_id_idx" ON "orders"("add_on_to_id");

-- CreateIndex
CREATE UNIQUE INDEX "orders_attempt_id_attempt_part_key" ON "orders"("attempt_id", "attempt_part");

-- CreateIndex
CREATE INDEX "order_item_order_id_idx" ON "order_item"("order_id");

-- CreateIndex
CREATE INDEX "order_item_variant_id_idx" ON "order_item"("variant_id");

-- CreateIndex
CREATE INDEX "order_item_vendor_id_idx" ON "order_item"("vendor_id");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE INDEX "survey_answer_customer_id_created_at_idx" ON "survey_answer"("customer_id", "created_at");

-- CreateIndex
CREATE INDEX "payment_customer_id_idx" ON "payment"("customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_provider_provider_ref_key" ON "payment"("provider", "provider_ref");

-- CreateIndex
CREATE INDEX "payment_method_customer_id_idx" ON "payment_method"("customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_method_provider_provider_ref_key" ON "payment_method"("provider", "provider_ref");

-- CreateIndex
CREATE INDEX "refund_payment_id_idx" ON "refund"("payment_id");

-- CreateIndex
CREATE UNIQUE INDEX "test_charge_idempotency_key_key" ON "test_charge"("idempotency_key");

-- CreateIndex
CREATE INDEX "ledger_transaction_order_id_idx" ON "ledger_transaction"("order_id");

-- CreateIndex
CREATE INDEX "ledger_transaction_payment_id_idx" ON "ledger_transaction"("payment_id");

-- CreateIndex
CREATE INDEX "ledger_entry_transaction_id_idx" ON "ledger_entry"("transaction_id");

-- CreateIndex
CREATE INDEX "ledger_entry_account_customer_id_idx" ON "ledger_entry"("account", "customer_id");

-- CreateIndex
CREATE INDEX "ledger_entry_account_vendor_id_idx" ON "ledger_entry"("account", "vendor_id");

-- CreateIndex
CREATE UNIQUE INDEX "discount_code_code_key" ON "discount_code"("code");

-- CreateIndex
CREATE INDEX "discount_use_customer_id_idx" ON "discount_use"("customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "gift_card_code_hash_key" ON "gift_card"("code_hash");

-- CreateIndex
CREATE INDEX "gift_card_deliver_on_idx" ON "gift_card"("deliver_on");

-- CreateIndex
CREATE INDEX "wagon_pass_customer_id_idx" ON "wagon_pass"("customer_id");

-- CreateIndex
CREATE INDEX "wagon_pass_renews_on_idx" ON "wagon_pass"("renews_on");

-- CreateIndex
CREATE UNIQUE INDEX "referral_order_id_key" ON "referral"("order_id");

-- CreateIndex
CREATE INDEX "referral_referrer_id_idx" ON "referral"("referrer_id");

-- CreateIndex
CREATE UNIQUE INDEX "subscription_customer_id_variant_id_key" ON "subscription"("customer_id", "variant_id");

-- AddForeignKey
ALTER TABLE "customer" ADD CONSTRAINT "customer_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer" ADD CONSTRAINT "customer_avatar_id_fkey" FOREIGN KEY ("avatar_id") REFERENCES "picture"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer" ADD CONSTRAINT "customer_referred_by_id_fkey" FOREIGN KEY ("referred_by_id") REFERENCES "customer"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "address" ADD CONSTRAINT "address_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest" ADD CONSTRAINT "guest_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_guest_id_fkey" FOREIGN KEY ("guest_id") REFERENCES "guest"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bridge_token" ADD CONSTRAINT "bridge_token_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "data_export" ADD CONSTRAINT "data_export_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cart" ADD CONSTRAINT "cart_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cart" ADD CONSTRAINT "cart_guest_id_fkey" FOREIGN KEY ("guest_id") REFERENCES "guest"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cart" ADD CONSTRAINT "cart_discount_code_id_fkey" FOREIGN KEY ("discount_code_id") REFERENCES "discount_code"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cart_item" ADD CONSTRAINT "cart_item_cart_id_fkey" FOREIGN KEY ("cart_id") REFERENCES "cart"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cart_item" ADD CONSTRAINT "cart_item_variant_id_fkey" FOREIGN KEY ("variant_id") REFERENCES "variant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cart_item" ADD CONSTRAINT "cart_item_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundle"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vendor" ADD CONSTRAINT "vendor_avatar_id_fkey" FOREIGN KEY ("avatar_id") REFERENCES "picture"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vendor" ADD CONSTRAINT "vendor_hero_id_fkey" FOREIGN KEY ("hero_id") REFERENCES "picture"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "product" ADD CONSTRAINT "product_vendor_id_fkey" FOREIGN KEY ("vendor_id") REFERENCES "vendor"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "product_picture" ADD CONSTRAINT "product_picture_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "product_picture" ADD CONSTRAINT "product_picture_picture_id_fkey" FOREIGN KEY ("picture_id") REFERENCES "picture"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "variant" ADD CONSTRAINT "variant_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offer" ADD CONSTRAINT "offer_variant_id_fkey" FOREIGN KEY ("variant_id") REFERENCES "variant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offer" ADD CONSTRAINT "offer_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stock_adjustment" ADD CONSTRAINT "stock_adjustment_offer_id_fkey" FOREIGN KEY ("offer_id") REFERENCES "offer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection" ADD CONSTRAINT "collection_image_id_fkey" FOREIGN KEY ("image_id") REFERENCES "picture"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection" ADD CONSTRAINT "collection_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "collection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_product" ADD CONSTRAINT "collection_product_collection_id_fkey" FOREIGN KEY ("collection_id") REFERENCES "collection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_product" ADD CONSTRAINT "collection_product_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle" ADD CONSTRAINT "bundle_image_id_fkey" FOREIGN KEY ("image_id") REFERENCES "picture"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_hub" ADD CONSTRAINT "bundle_hub_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundle"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_hub" ADD CONSTRAINT "bundle_hub_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_item" ADD CONSTRAINT "bundle_item_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundle"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_item" ADD CONSTRAINT "bundle_item_variant_id_fkey" FOREIGN KEY ("variant_id") REFERENCES "variant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post" ADD CONSTRAINT "post_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post" ADD CONSTRAINT "post_vendor_id_fkey" FOREIGN KEY ("vendor_id") REFERENCES "vendor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post" ADD CONSTRAINT "post_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post" ADD CONSTRAINT "post_text_image_id_fkey" FOREIGN KEY ("text_image_id") REFERENCES "picture"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "banner" ADD CONSTRAINT "banner_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "favorite_product" ADD CONSTRAINT "favorite_product_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "favorite_product" ADD CONSTRAINT "favorite_product_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "follow" ADD CONSTRAINT "follow_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "follow" ADD CONSTRAINT "follow_vendor_id_fkey" FOREIGN KEY ("vendor_id") REFERENCES "vendor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review" ADD CONSTRAINT "review_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review" ADD CONSTRAINT "review_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "question" ADD CONSTRAINT "question_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "question" ADD CONSTRAINT "question_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "endorsement" ADD CONSTRAINT "endorsement_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "endorsement" ADD CONSTRAINT "endorsement_vendor_id_fkey" FOREIGN KEY ("vendor_id") REFERENCES "vendor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "thread" ADD CONSTRAINT "thread_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "thread" ADD CONSTRAINT "thread_vendor_id_fkey" FOREIGN KEY ("vendor_id") REFERENCES "vendor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "thread"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "answer_link" ADD CONSTRAINT "answer_link_vendor_id_fkey" FOREIGN KEY ("vendor_id") REFERENCES "vendor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blog_post" ADD CONSTRAINT "blog_post_image_id_fkey" FOREIGN KEY ("image_id") REFERENCES "picture"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blog_post" ADD CONSTRAINT "blog_post_vendor_id_fkey" FOREIGN KEY ("vendor_id") REFERENCES "vendor"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "problem_report" ADD CONSTRAINT "problem_report_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "problem_report" ADD CONSTRAINT "problem_report_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "problem_photo" ADD CONSTRAINT "problem_photo_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "problem_report"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hub_zip" ADD CONSTRAINT "hub_zip_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pickup_point" ADD CONSTRAINT "pickup_point_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hub_closure" ADD CONSTRAINT "hub_closure_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_run" ADD CONSTRAINT "delivery_run_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_cart_id_fkey" FOREIGN KEY ("cart_id") REFERENCES "cart"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stock_hold" ADD CONSTRAINT "stock_hold_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "checkout_attempt"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stock_hold" ADD CONSTRAINT "stock_hold_offer_id_fkey" FOREIGN KEY ("offer_id") REFERENCES "offer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "checkout_attempt"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_add_on_to_id_fkey" FOREIGN KEY ("add_on_to_id") REFERENCES "orders"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_pickup_point_id_fkey" FOREIGN KEY ("pickup_point_id") REFERENCES "pickup_point"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_item" ADD CONSTRAINT "order_item_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_item" ADD CONSTRAINT "order_item_variant_id_fkey" FOREIGN KEY ("variant_id") REFERENCES "variant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_item" ADD CONSTRAINT "order_item_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundle"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_item" ADD CONSTRAINT "order_item_vendor_id_fkey" FOREIGN KEY ("vendor_id") REFERENCES "vendor"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "survey_answer" ADD CONSTRAINT "survey_answer_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "survey_answer" ADD CONSTRAINT "survey_answer_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "survey_answer" ADD CONSTRAINT "survey_answer_vendor_id_fkey" FOREIGN KEY ("vendor_id") REFERENCES "vendor"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment" ADD CONSTRAINT "payment_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment" ADD CONSTRAINT "payment_payment_method_id_fkey" FOREIGN KEY ("payment_method_id") REFERENCES "payment_method"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_method" ADD CONSTRAINT "payment_method_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refund" ADD CONSTRAINT "refund_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_transaction" ADD CONSTRAINT "ledger_transaction_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_transaction" ADD CONSTRAINT "ledger_transaction_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "ledger_transaction"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_vendor_id_fkey" FOREIGN KEY ("vendor_id") REFERENCES "vendor"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "discount_code" ADD CONSTRAINT "discount_code_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hub"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "discount_use" ADD CONSTRAINT "discount_use_discount_code_id_fkey" FOREIGN KEY ("discount_code_id") REFERENCES "discount_code"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "discount_use" ADD CONSTRAINT "discount_use_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "discount_use" ADD CONSTRAINT "discount_use_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "gift_card" ADD CONSTRAINT "gift_card_buyer_id_fkey" FOREIGN KEY ("buyer_id") REFERENCES "customer"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "gift_card" ADD CONSTRAINT "gift_card_redeemed_by_id_fkey" FOREIGN KEY ("redeemed_by_id") REFERENCES "customer"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wagon_pass" ADD CONSTRAINT "wagon_pass_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "referral" ADD CONSTRAINT "referral_friend_id_fkey" FOREIGN KEY ("friend_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "referral" ADD CONSTRAINT "referral_referrer_id_fkey" FOREIGN KEY ("referrer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "referral" ADD CONSTRAINT "referral_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_variant_id_fkey" FOREIGN KEY ("variant_id") REFERENCES "variant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_subscription" ADD CONSTRAINT "bundle_subscription_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_subscription" ADD CONSTRAINT "bundle_subscription_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundle"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription_skip" ADD CONSTRAINT "subscription_skip_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription_skip" ADD CONSTRAINT "subscription_skip_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: what Prisma's datamodel cannot say.

-- What Prisma's datamodel cannot say. Wrong states are refused here, whoever writes.

-- Hubs and calendar
alter table hub
  add constraint hub_delivery_day_check check (delivery_day in ('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday')),
  add constraint hub_money_check check (delivery_fee_cents >= 0 and processing_fixed_cents >= 0),
  add constraint hub_rates_check check (tax_rate_ppm between 0 and 500000 and processing_ppm between 0 and 500000 and commission_ppm between 0 and 1000000),
  add constraint hub_place_check check (lat between -90 and 90 and lng between -180 and 180),
  add constraint hub_zip_check check (zip_code ~ '^[0-9]{5}$'),
  add constraint hub_slug_check check (slug !~ '^[0-9]+$');
alter table hub_zip add constraint hub_zip_zip_check check (zip_code ~ '^[0-9]{5}$');
alter table delivery add constraint delivery_instants_check check (auto_checkout_at = cutoff_at - interval '36 hours');
alter table delivery_run
  add constraint delivery_run_step_check check (step in ('open', 'auto_checkout', 'cutoff', 'close')),
  add constraint delivery_run_state_check check (state in ('running', 'done', 'done_with_errors', 'missed'));

-- Catalogue
alter table picture
  add constraint picture_id_check check (id ~ '^[0-9a-f]{16}$'),
  add constraint picture_source_check check (num_nonnulls(recipe, file) = 1);
alter table vendor
  add constraint vendor_hash_check check (hash ~ '^[0-9a-f]{16}$'),
  add constraint vendor_slug_check check (slug !~ '^[0-9]+$' and slug not in ('vendor', 'subscribed', 'search'));
alter table product
  add constraint product_badge_check check (badge between 2 and 7),
  add constraint product_storage_check check (storage in ('dry', 'cold', 'frozen')),
  add constraint product_slug_check check (slug !~ '^[0-9]+$' and slug not in ('vendor', 'subscribed', 'search'));
alter table collection add constraint collection_slug_check check (slug !~ '^[0-9]+$' and slug not in ('vendor', 'subscribed', 'search'));
alter table bundle
  add constraint bundle_slug_check check (slug !~ '^[0-9]+$' and slug not in ('vendor', 'subscribed', 'search')),
  add constraint bundle_discount_check check (discount_ppm between 0 and 1000000);
alter table bundle_item add constraint bundle_item_quantity_check check (quantity between 1 and 999);
alter table offer
  add constraint offer_price_check check (price_cents >= 0 and sale_price_cents >= 0 and (sale_price_cents is null or sale_price_cents < price_cents)),
  add constraint offer_inventory_check check (inventory >= 0 and weekly_inventory >= 0);
alter table post add constraint post_type_check check (type in ('vendor-post', 'staff-trending', 'staff-insane-weekly-deal', 'staff-pick', 'staff-flash-sale'));
alter table banner
  add constraint banner_type_check check (type in ('information', 'warning', 'other')),
  add constraint banner_action_check check (action ~ '^/([^/\\]|$)');
alter table review
  add constraint review_rating_check check (rating_halves between 0 and 10),
  add constraint review_comment_check check (char_length(comment) between 1 and 250);
alter table question add constraint question_length_check check (char_length(question) between 1 and 400);
alter table endorsement
  add constraint endorsement_score_check check (score between 1 and 5),
  add constraint endorsement_relationship_check check (relationship between 1 and 4),
  add constraint endorsement_visit_check check (visit_rating between 1 and 5 and (has_visited is true or (visit_rating is null and would_visit_again is null)));

-- Accounts
alter table customer
  add constraint customer_email_check check (email = lower(email) and char_length(email) between 5 and 254),
  add constraint customer_auto_checkout_check check (auto_checkout_status in (0, 1, 2)),
  add constraint customer_tip_check check (default_tip in (0, 5, 10, 20)),
  add constraint customer_credit_check check (credit_cents >= 0),
  add constraint customer_deleted_check check (deleted_at is null or (email is null and password_hash is null)),
  add constraint customer_referrer_check check (referred_by_id <> id);
alter table guest add constraint guest_trk_check check (char_length(trk) <= 50);
alter table session add constraint session_owner_check check (num_nonnulls(guest_id, customer_id) = 1);
create unique index address_default_key on address (customer_id) where is_default;

-- Cart
alter table cart add constraint cart_owner_check check (num_nonnulls(guest_id, customer_id) = 1);
alter table cart_item
  add constraint cart_item_quantity_check check (quantity between 1 and 999),
  add constraint cart_item_interval_check check (subscription_interval between 1 and 4);
create unique index cart_item_line_key on cart_item (cart_id, variant_id, bundle_id) nulls not distinct;

-- Orders
alter table checkout_attempt
  add constraint checkout_attempt_state_check check (state in ('held', 'challenge', 'paid', 'placed', 'failed')),
  add constraint checkout_attempt_source_check check (source in ('checkout', 'auto')),
  add constraint checkout_attempt_money_check check (order_total_cents >= 0 and amount_due_cents >= 0 and credit_cents >= 0);
alter table stock_hold add constraint stock_hold_quantity_check check (quantity > 0);
alter table orders
  add constraint orders_id_check check (id between 100000000 and 999999999),
  add constraint orders_status_check check (status in ('future', 'open', 'pending', 'closed', 'cancelled')),
  add constraint orders_type_check check (type in ('delivery', 'pickup')),
  add constraint orders_source_check check (source in ('checkout', 'auto')),
  add constraint orders_tip_check check (tip_percentage in (0, 5, 10, 20)),
  add constraint orders_money_check check (items_cents >= 0 and tip_cents >= 0 and tax_cents >= 0 and card_fee_cents >= 0 and delivery_fee_cents >= 0 and discount_cents between 0 and items_cents and credit_cents between 0 and order_total_cents),
  add constraint orders_total_check check (order_total_cents = items_cents + tip_cents + tax_cents + card_fee_cents + delivery_fee_cents - discount_cents),
  add constraint orders_pickup_check check ((type = 'pickup') = (pickup_point_id is not null)),
  add constraint orders_add_on_check check (add_on_to_id <> id);
create index orders_payment_key on orders (payment_id) where payment_id is not null;
create unique index orders_auto_key on orders (customer_id, delivery_id) where source = 'auto' and status <> 'cancelled';
alter table order_item
  add constraint order_item_quantity_check check (quantity between 0 and quantity_ordered and quantity_ordered between 1 and 999),
  add constraint order_item_money_check check (list_price_cents >= 0 and unit_price_cents >= 0 and unit_price_cents = coalesce(sale_price_cents, list_price_cents) and discount_cents >= 0 and tax_cents >= 0);
alter table idempotency_key add constraint idempotency_key_state_check check (state in ('running', 'done'));
alter table survey_answer
  add constraint survey_answer_type_check check (type in ('MarketingSource', 'CSAT', 'NPS', 'Share', 'Subscribe')),
  add constraint survey_answer_comment_check check (char_length(comment) <= 250);

-- Money
alter table payment
  add constraint payment_state_check check (state in ('created', 'challenge', 'authorized', 'captured', 'voided', 'failed')),
  add constraint payment_provider_check check (provider in ('test', 'offline', 'stripe')),
  add constraint payment_money_check check (amount_cents >= 0 and captured_cents between 0 and amount_cents and refunded_cents between 0 and captured_cents);
create index payment_open_key on payment (id) where state in ('created', 'challenge');
create index payment_key_key on payment (idempotency_key) where idempotency_key is not null;
create unique index payment_method_default_key on payment_method (customer_id) where is_default and deleted_at is null;
alter table refund
  add constraint refund_amount_check check (amount_cents > 0),
  add constraint refund_state_check check (state in ('created', 'done', 'failed'));
alter table test_charge add constraint test_charge_state_check check (state in ('requires_action', 'authorized', 'captured', 'voided', 'declined'));

create function ledger_balanced() returns trigger language plpgsql as $$
begin
  if (select coalesce(sum(amount_cents), 0) from ledger_entry where transaction_id = new.transaction_id) <> 0 then
    raise exception 'ledger transaction % does not sum to zero', new.transaction_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_entry_balanced after insert on ledger_entry
  deferrable initially deferred for each row execute function ledger_balanced();

create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger ledger_entry_append_only before update or delete on ledger_entry for each row execute function append_only();
create trigger ledger_transaction_append_only before update or delete on ledger_transaction for each row execute function append_only();
create trigger audit_entry_append_only before update or delete on audit_entry for each row execute function append_only();

-- Subscriptions and promotions
alter table subscription
  add constraint subscription_quantity_check check (quantity between 1 and 999),
  add constraint subscription_interval_check check (interval_weeks between 1 and 4);
alter table bundle_subscription add constraint bundle_subscription_interval_check check (interval_weeks between 1 and 4);
alter table discount_code
  add constraint discount_code_case_check check (code = upper(code)),
  add constraint discount_code_kind_check check (num_nonnulls(percent_ppm, amount_cents) = 1),
  add constraint discount_code_value_check check (percent_ppm between 1 and 1000000 and minimum_cents >= 0),
  add constraint discount_code_amount_check check (amount_cents > 0),
  add constraint discount_code_uses_check check (uses >= 0 and (use_limit is null or uses <= use_limit));
create unique index discount_use_once_key on discount_use (discount_code_id, customer_id) where once;
alter table gift_card
  add constraint gift_card_amount_check check (amount_cents between 1000 and 50000),
  add constraint gift_card_redeemed_check check ((redeemed_by_id is null) = (redeemed_at is null));
alter table wagon_pass
  add constraint wagon_pass_plan_check check (plan in ('monthly', 'yearly')),
  add constraint wagon_pass_status_check check (status in ('active', 'cancelled', 'lapsed'));
create unique index wagon_pass_active_key on wagon_pass (customer_id) where status = 'active';
alter table referral add constraint referral_self_check check (friend_id <> referrer_id);

-- Words
alter table message
  add constraint message_sender_check check (sender in ('C', 'U')),
  add constraint message_length_check check (char_length(message) between 1 and 250);
alter table answer_link add constraint answer_link_matter_check check (matter in ('thread', 'question', 'review'));
alter table blog_post add constraint blog_post_category_check check (category in ('news', 'blog'));
alter table problem_report
  add constraint problem_report_length_check check (char_length(message) between 1 and 500),
  add constraint problem_report_status_check check (status in ('open', 'closed'));

-- Caches of every server follow the rows: channel `catalogue` carries a hub id or '' for all, `hubs` says that a hub's
-- own facts changed, `session` carries an ended session's id.
create function notify_catalogue() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalogue', '');
  return null;
end $$;
create function notify_hubs() returns trigger language plpgsql as $$
begin
  perform pg_notify('hubs', '');
  return null;
end $$;
create function notify_offer_update() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalogue', hub_id::text) from (select distinct hub_id from changed) as hubs;
  return null;
end $$;
create trigger offer_inserted after insert on offer referencing new table as changed for each statement execute function notify_offer_update();
create trigger offer_updated after update on offer referencing new table as changed for each statement execute function notify_offer_update();
create trigger offer_deleted after delete on offer referencing old table as changed for each statement execute function notify_offer_update();
do $$
declare t text;
begin
  foreach t in array array['hub', 'hub_zip', 'pickup_point', 'hub_closure', 'delivery'] loop
    execute format('create trigger %I after insert or update or delete on %I for each statement execute function notify_hubs()', t || '_facts_changed', t);
  end loop;
  foreach t in array array['hub', 'pickup_point', 'delivery', 'picture', 'vendor', 'product', 'product_picture', 'variant',
    'collection', 'collection_product', 'bundle', 'bundle_hub', 'bundle_item', 'post', 'banner', 'review'] loop
    execute format('create trigger %I after insert or update or delete on %I for each statement execute function notify_catalogue()', t || '_changed', t);
  end loop;
end $$;
create function notify_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session', old.id::text);
  return null;
end $$;
create trigger session_ended after update of ended_at on session for each row when (new.ended_at is not null) execute function notify_session_ended();
create trigger session_deleted after delete on session for each row execute function notify_session_ended();
