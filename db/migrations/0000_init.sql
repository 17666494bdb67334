CREATE TABLE "api_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"publisher_id" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"bearer_ciphertext" text NOT NULL,
	"revenue_access" boolean NOT NULL,
	"gross_access" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_on" date,
	CONSTRAINT "api_tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "platform_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "platform_tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "platforms" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"elevated_limits" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "platforms_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "public_keys" (
	"key" text PRIMARY KEY NOT NULL,
	"publisher_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "publishers" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"name" text NOT NULL,
	"contact_name" text NOT NULL,
	"contact_email" text NOT NULL,
	"contact_phone" text,
	"status" text DEFAULT 'active' NOT NULL,
	"ads_enabled" boolean DEFAULT true NOT NULL,
	"elevated_limits" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "publishers_name_unique" UNIQUE("name"),
	CONSTRAINT "publishers_status_check" CHECK ("publishers"."status" = any (array['active', 'inactive']::text[])),
	CONSTRAINT "publishers_name_check" CHECK (char_length("publishers"."name") between 1 and 255)
);
--> statement-breakpoint
CREATE TABLE "categories" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"path" text NOT NULL,
	"taxonomy_id" text NOT NULL,
	CONSTRAINT "categories_name_unique" UNIQUE("name"),
	CONSTRAINT "categories_path_unique" UNIQUE("path"),
	CONSTRAINT "categories_taxonomy_id_unique" UNIQUE("taxonomy_id")
);
--> statement-breakpoint
CREATE TABLE "partner_zone_jobs" (
	"site_id" text PRIMARY KEY NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"zone_id" text,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "partner_zone_jobs_status_check" CHECK ("partner_zone_jobs"."status" = any (array['pending', 'done', 'failed', 'skipped']::text[])),
	CONSTRAINT "partner_zone_jobs_attempts_check" CHECK ("partner_zone_jobs"."attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "placements" (
	"id" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"name" text NOT NULL,
	"page_type" text DEFAULT 'THANK_YOU_PAGE' NOT NULL,
	"is_live_mode" boolean DEFAULT false NOT NULL,
	"template" smallint DEFAULT 1 NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "placements_status_check" CHECK ("placements"."status" = any (array['active', 'inactive']::text[])),
	CONSTRAINT "placements_page_type_check" CHECK ("placements"."page_type" = any (array['THANK_YOU_PAGE', 'ORDER_PAGE']::text[])),
	CONSTRAINT "placements_template_check" CHECK ("placements"."template" between 1 and 21),
	CONSTRAINT "placements_data_check" CHECK (jsonb_typeof("placements"."data") = 'object')
);
--> statement-breakpoint
CREATE TABLE "sites" (
	"id" text PRIMARY KEY NOT NULL,
	"publisher_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"order_volume" bigint,
	"average_order" double precision,
	"age_demographics" text,
	"gender_demographics" text,
	"domain" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"ads_enabled" boolean DEFAULT true NOT NULL,
	"category_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sites_publisher_name_key" UNIQUE("publisher_id","name"),
	CONSTRAINT "sites_status_check" CHECK ("sites"."status" = any (array['pending', 'active', 'inactive']::text[])),
	CONSTRAINT "sites_age_check" CHECK ("sites"."age_demographics" = any (array['AGE_18_24', 'AGE_25_34', 'AGE_35_44', 'AGE_45_54', 'AGE_55_64', 'AGE_65_PLUS']::text[])),
	CONSTRAINT "sites_gender_check" CHECK ("sites"."gender_demographics" = any (array['MALE', 'FEMALE', 'MIXED']::text[])),
	CONSTRAINT "sites_order_volume_check" CHECK ("sites"."order_volume" between 0 and 9007199254740991),
	CONSTRAINT "sites_average_order_check" CHECK ("sites"."average_order" >= 0 and "sites"."average_order" < 'infinity'),
	CONSTRAINT "sites_name_check" CHECK (char_length("sites"."name") between 1 and 255)
);
--> statement-breakpoint
CREATE TABLE "advertisers" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text,
	"name" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"conversion_secret_hash" text NOT NULL,
	"conversion_secret_ciphertext" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "advertisers_conversion_secret_hash_unique" UNIQUE("conversion_secret_hash"),
	CONSTRAINT "advertisers_platform_name_key" UNIQUE NULLS NOT DISTINCT("platform_id","name"),
	CONSTRAINT "advertisers_status_check" CHECK ("advertisers"."status" = any (array['active', 'paused', 'archived']::text[]))
);
--> statement-breakpoint
CREATE TABLE "offer_usage" (
	"offer_id" text NOT NULL,
	"day" date NOT NULL,
	"used" bigint NOT NULL,
	CONSTRAINT "offer_usage_offer_id_day_pk" PRIMARY KEY("offer_id","day")
);
--> statement-breakpoint
CREATE TABLE "offers" (
	"id" text PRIMARY KEY NOT NULL,
	"advertiser_id" text NOT NULL,
	"name" text NOT NULL,
	"title" text NOT NULL,
	"header" text NOT NULL,
	"description" text NOT NULL,
	"cta_text" text NOT NULL,
	"decline_button_text" text NOT NULL,
	"terms_url" text,
	"icon_url" text,
	"icon_width" integer,
	"icon_height" integer,
	"destination_url" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"priority" smallint DEFAULT 5 NOT NULL,
	"pricing" text NOT NULL,
	"bid_micros" bigint NOT NULL,
	"publisher_share_bps" integer DEFAULT 7000 NOT NULL,
	"ecpm_micros" bigint NOT NULL,
	"daily_cap" bigint,
	"lifetime_cap" bigint,
	"capped_through" date,
	"countries" text[] DEFAULT '{}'::text[] NOT NULL,
	"languages" text[] DEFAULT '{}'::text[] NOT NULL,
	"currencies" text[] DEFAULT '{}'::text[] NOT NULL,
	"amount_min" double precision,
	"amount_max" double precision,
	"payment_types" text[] DEFAULT '{}'::text[] NOT NULL,
	"category_ids" text[] DEFAULT '{}'::text[] NOT NULL,
	"age_demographics" text[] DEFAULT '{}'::text[] NOT NULL,
	"gender_demographics" text[] DEFAULT '{}'::text[] NOT NULL,
	"include_publishers" text[] DEFAULT '{}'::text[] NOT NULL,
	"exclude_publishers" text[] DEFAULT '{}'::text[] NOT NULL,
	"include_sites" text[] DEFAULT '{}'::text[] NOT NULL,
	"exclude_sites" text[] DEFAULT '{}'::text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "offers_status_check" CHECK ("offers"."status" = any (array['active', 'paused', 'archived']::text[])),
	CONSTRAINT "offers_pricing_check" CHECK ("offers"."pricing" = any (array['CPM', 'CPC', 'CPA']::text[])),
	CONSTRAINT "offers_currencies_check" CHECK ("offers"."currencies" <@ array['AED', 'ARS', 'AUD', 'BGN', 'BRL', 'CAD', 'CHF', 'CLP', 'CNY', 'COP', 'CZK', 'DKK', 'EGP', 'EUR', 'GBP', 'GHS', 'HKD', 'HRK', 'HUF', 'IDR', 'ILS', 'INR', 'JPY', 'KES', 'KRW', 'MXN', 'MYR', 'NGN', 'NOK', 'NZD', 'PEN', 'PHP', 'PLN', 'RON', 'RUB', 'SAR', 'SEK', 'SGD', 'THB', 'TRY', 'TWD', 'USD', 'UYU', 'VND', 'ZAR']::text[]),
	CONSTRAINT "offers_payment_types_check" CHECK ("offers"."payment_types" <@ array['creditCard', 'debitCard', 'paypal', 'applePay', 'googlePay', 'bankTransfer', 'crypto', 'other']::text[]),
	CONSTRAINT "offers_age_check" CHECK ("offers"."age_demographics" <@ array['AGE_18_24', 'AGE_25_34', 'AGE_35_44', 'AGE_45_54', 'AGE_55_64', 'AGE_65_PLUS']::text[]),
	CONSTRAINT "offers_gender_check" CHECK ("offers"."gender_demographics" <@ array['MALE', 'FEMALE', 'MIXED']::text[]),
	CONSTRAINT "offers_priority_check" CHECK ("offers"."priority" between 1 and 10),
	CONSTRAINT "offers_bid_check" CHECK ("offers"."bid_micros" between 0 and 1000000000000),
	CONSTRAINT "offers_cpm_check" CHECK ("offers"."pricing" <> 'CPM' or "offers"."bid_micros" % 1000 = 0),
	CONSTRAINT "offers_ecpm_check" CHECK ("offers"."ecpm_micros" >= 0),
	CONSTRAINT "offers_share_check" CHECK ("offers"."publisher_share_bps" between 0 and 10000),
	CONSTRAINT "offers_caps_check" CHECK ("offers"."daily_cap" > 0 and "offers"."lifetime_cap" > 0),
	CONSTRAINT "offers_dates_check" CHECK ("offers"."starts_at" < "offers"."ends_at"),
	CONSTRAINT "offers_amount_check" CHECK ("offers"."amount_min" >= 0 and "offers"."amount_min" <= "offers"."amount_max"),
	CONSTRAINT "offers_amount_currency_check" CHECK (("offers"."amount_min" is null and "offers"."amount_max" is null) or cardinality("offers"."currencies") > 0),
	CONSTRAINT "offers_icon_check" CHECK (num_nulls("offers"."icon_url", "offers"."icon_width", "offers"."icon_height") in (0, 3))
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"publisher_id" text NOT NULL,
	"source" text NOT NULL,
	"event_type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"reason" text,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_logs" (
	"id" text PRIMARY KEY NOT NULL,
	"publisher_id" text NOT NULL,
	"source" text NOT NULL,
	"event_type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"reason" text,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"site_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "publish_outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "publish_outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"document_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_counters" (
	"day" date NOT NULL,
	"placement_id" text NOT NULL,
	"offer_id" text NOT NULL,
	"advertiser_id" text NOT NULL,
	"country" text NOT NULL,
	"requests" bigint DEFAULT 0 NOT NULL,
	"fills" bigint DEFAULT 0 NOT NULL,
	"impressions" bigint DEFAULT 0 NOT NULL,
	"viewables" bigint DEFAULT 0 NOT NULL,
	"clicks" bigint DEFAULT 0 NOT NULL,
	"closes" bigint DEFAULT 0 NOT NULL,
	"conversions" bigint DEFAULT 0 NOT NULL,
	"transactions" bigint DEFAULT 0 NOT NULL,
	"gross_micros" bigint DEFAULT 0 NOT NULL,
	"revenue_micros" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "daily_counters_day_placement_id_offer_id_advertiser_id_country_pk" PRIMARY KEY("day","placement_id","offer_id","advertiser_id","country")
);
--> statement-breakpoint
CREATE TABLE "daily_hits" (
	"day" date NOT NULL,
	"placement_id" text NOT NULL,
	"offer_id" text NOT NULL,
	"kind" text NOT NULL,
	"outcome" text NOT NULL,
	"hits" bigint NOT NULL,
	CONSTRAINT "daily_hits_day_placement_id_offer_id_kind_outcome_pk" PRIMARY KEY("day","placement_id","offer_id","kind","outcome"),
	CONSTRAINT "daily_hits_kind_check" CHECK ("daily_hits"."kind" = any (array['impression', 'viewable', 'click', 'close', 'conversion']::text[])),
	CONSTRAINT "daily_hits_outcome_check" CHECK ("daily_hits"."outcome" = any (array['counted', 'duplicate', 'bot', 'expired', 'test']::text[]))
);
--> statement-breakpoint
CREATE TABLE "events" (
	"issued_on" date NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"outcome" text NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"decision_id" text NOT NULL,
	"placement_id" text NOT NULL,
	"offer_id" text NOT NULL,
	"advertiser_id" text NOT NULL,
	"country" text NOT NULL,
	"session_hash" text,
	"email_hash" text,
	"transaction_id" text,
	"amount_micros" bigint,
	"currency" text,
	"gross_micros" bigint NOT NULL,
	"revenue_micros" bigint NOT NULL,
	CONSTRAINT "events_issued_on_id_pk" PRIMARY KEY("issued_on","id"),
	CONSTRAINT "events_kind_check" CHECK ("events"."kind" = any (array['impression', 'viewable', 'click', 'close', 'conversion']::text[])),
	CONSTRAINT "events_outcome_check" CHECK ("events"."outcome" = any (array['counted', 'duplicate', 'bot', 'expired', 'test']::text[])),
	CONSTRAINT "events_money_check" CHECK ("events"."gross_micros" >= "events"."revenue_micros" and "events"."revenue_micros" >= 0),
	CONSTRAINT "events_transaction_check" CHECK (("events"."kind" = 'conversion') = ("events"."transaction_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "request_flushes" (
	"id" text PRIMARY KEY NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracking_rejects" (
	"id" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_publisher_id_publishers_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."publishers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform_tokens" ADD CONSTRAINT "platform_tokens_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "public_keys" ADD CONSTRAINT "public_keys_publisher_id_publishers_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."publishers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publishers" ADD CONSTRAINT "publishers_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_zone_jobs" ADD CONSTRAINT "partner_zone_jobs_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "placements" ADD CONSTRAINT "placements_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_publisher_id_publishers_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."publishers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "advertisers" ADD CONSTRAINT "advertisers_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_advertiser_id_advertisers_id_fk" FOREIGN KEY ("advertiser_id") REFERENCES "public"."advertisers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_publisher_id_publishers_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."publishers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_logs" ADD CONSTRAINT "webhook_logs_publisher_id_publishers_id_fk" FOREIGN KEY ("publisher_id") REFERENCES "public"."publishers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_logs" ADD CONSTRAINT "webhook_logs_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_tokens_publisher_idx" ON "api_tokens" USING btree ("publisher_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "platform_tokens_platform_idx" ON "platform_tokens" USING btree ("platform_id");--> statement-breakpoint
CREATE INDEX "public_keys_publisher_idx" ON "public_keys" USING btree ("publisher_id");--> statement-breakpoint
CREATE INDEX "publishers_platform_idx" ON "publishers" USING btree ("platform_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "publishers_contact_email_idx" ON "publishers" USING btree (lower("contact_email"));--> statement-breakpoint
CREATE INDEX "partner_zone_jobs_pending_idx" ON "partner_zone_jobs" USING btree ("updated_at") WHERE "partner_zone_jobs"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "placements_site_idx" ON "placements" USING btree ("site_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "sites_publisher_idx" ON "sites" USING btree ("publisher_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "sites_category_idx" ON "sites" USING btree ("category_id");--> statement-breakpoint
CREATE INDEX "advertisers_created_idx" ON "advertisers" USING btree ("created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "advertisers_changed_idx" ON "advertisers" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "offers_serving_idx" ON "offers" USING btree ("priority","ecpm_micros" DESC NULLS FIRST,"id") WHERE "offers"."status" = 'active';--> statement-breakpoint
CREATE INDEX "offers_country_idx" ON "offers" USING gin ("countries") WITH (fastupdate=false) WHERE "offers"."status" = 'active';--> statement-breakpoint
CREATE INDEX "offers_changed_idx" ON "offers" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "offers_stopped_idx" ON "offers" USING btree ("changed_at") WHERE "offers"."status" <> 'active';--> statement-breakpoint
CREATE INDEX "offers_capped_idx" ON "offers" USING btree ("capped_through") WHERE "offers"."capped_through" is not null;--> statement-breakpoint
CREATE INDEX "offers_advertiser_idx" ON "offers" USING btree ("advertiser_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "webhook_events_publisher_idx" ON "webhook_events" USING btree ("publisher_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "webhook_logs_site_idx" ON "webhook_logs" USING btree ("site_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "webhook_logs_publisher_idx" ON "webhook_logs" USING btree ("publisher_id");--> statement-breakpoint
CREATE INDEX "publish_outbox_document_idx" ON "publish_outbox" USING btree ("document_key");--> statement-breakpoint
CREATE INDEX "daily_counters_placement_idx" ON "daily_counters" USING btree ("placement_id","day");--> statement-breakpoint
CREATE INDEX "daily_counters_offer_idx" ON "daily_counters" USING btree ("offer_id","day");--> statement-breakpoint
CREATE INDEX "daily_counters_advertiser_idx" ON "daily_counters" USING btree ("advertiser_id","day");--> statement-breakpoint
CREATE INDEX "daily_hits_offer_idx" ON "daily_hits" USING btree ("offer_id","day");--> statement-breakpoint
CREATE INDEX "daily_hits_placement_idx" ON "daily_hits" USING btree ("placement_id","day");--> statement-breakpoint
CREATE UNIQUE INDEX "events_counted_once_idx" ON "events" USING btree ("issued_on","decision_id","offer_id","kind") WHERE "events"."outcome" = 'counted' and "events"."kind" <> 'conversion';--> statement-breakpoint
CREATE UNIQUE INDEX "events_transaction_once_idx" ON "events" USING btree ("advertiser_id","transaction_id") WHERE "events"."outcome" = 'counted' and "events"."kind" = 'conversion';--> statement-breakpoint
CREATE INDEX "events_session_idx" ON "events" USING btree ("session_hash") WHERE "events"."session_hash" is not null;--> statement-breakpoint
CREATE INDEX "events_email_idx" ON "events" USING btree ("email_hash") WHERE "events"."email_hash" is not null;--> statement-breakpoint
CREATE INDEX "events_offer_idx" ON "events" USING btree ("offer_id");--> statement-breakpoint
CREATE INDEX "request_flushes_received_idx" ON "request_flushes" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "tracking_rejects_created_idx" ON "tracking_rejects" USING btree ("created_at" DESC NULLS FIRST);