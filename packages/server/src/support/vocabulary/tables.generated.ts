import type { Instant } from '../../platform/kernel/clock.ts'

/* Written by `npm run gen` from the migrations: the columns of tables, without `tenant_id`. */

export const tables = {
  api_keys: {
    id: 'uuid',
    name: 'text',
    scopes: 'text[]',
    allowed_cidrs: 'text[]',
    secret_hint: 'text',
    expires_at: 'timestamptz',
    last_used_at: 'timestamptz',
    rotated_at: 'timestamptz',
    revoked_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    kind: 'text',
    allowed_origins: 'text[]',
  },
  categories: {
    id: 'uuid',
    parent_id: 'uuid',
    name: 'text',
    name_key: 'text',
    position: 'integer',
    default_department_id: 'uuid',
    default_priority: 'text',
    description: 'text',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    public: 'boolean',
  },
  companies: {
    id: 'uuid',
    external_id: 'text',
    name: 'text',
    name_key: 'text',
    domains: 'text[]',
    metadata: 'json',
    archived: 'boolean',
    search: 'tsvector',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  console_sessions: {
    id: 'uuid',
    token_hash: 'bytea',
    operator_id: 'uuid',
    created_by: 'text',
    user_agent: 'text',
    ip: 'text',
    last_used_at: 'timestamptz',
    expires_at: 'timestamptz',
    revoked_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  conversations: {
    id: 'uuid',
    external_user_id: 'text',
    subject: 'text',
    initiated_by_side: 'text',
    channel: 'text',
    priority: 'text',
    language: 'text',
    external_id: 'text',
    metadata: 'json',
    follow_up_of_id: 'uuid',
    status: 'text',
    waiting_since: 'timestamptz',
    message_count: 'integer',
    last_message_at: 'timestamptz',
    last_message_side: 'text',
    first_response_at: 'timestamptz',
    resolved_at: 'timestamptz',
    closed_at: 'timestamptz',
    reopened_count: 'integer',
    merged_into_id: 'uuid',
    read_by_end_user: 'integer',
    read_by_operator: 'integer',
    unread_by_end_user: 'integer',
    unread_by_operator: 'integer',
    search: 'tsvector',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    department_id: 'uuid',
    category_id: 'uuid',
    assignee_id: 'uuid',
    assignment_strategy: 'text',
    assignment_reason: 'text',
    assigned_at: 'timestamptz',
    awaits_routing: 'boolean',
    tag_ids: 'uuid[]',
    waiting_on: 'text',
    hold_reason_id: 'uuid',
    hold_note: 'text',
    hold_since: 'timestamptz',
    hold_until: 'timestamptz',
    resumes_on_reply: 'boolean',
    sla_config_id: 'uuid',
    sla_config_version: 'integer',
    sla_follows: 'integer',
    sla: 'json',
    sla_due_at: 'timestamptz',
    unanswered_since: 'timestamptz',
    hold_pauses_sla: 'boolean',
    end_user_id: 'uuid',
    company_id: 'uuid',
    participant_ids: 'uuid[]',
    mailbox_id: 'uuid',
  },
  custom_fields: {
    id: 'uuid',
    slot: 'text',
    applies_to: 'text',
    key: 'text',
    name: 'text',
    description: 'text',
    type: 'text',
    options: 'json',
    required_on: 'text',
    end_user_access: 'text',
    indexed: 'boolean',
    index_ready: 'boolean',
    position: 'integer',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  departments: {
    id: 'uuid',
    name: 'text',
    name_key: 'text',
    description: 'text',
    email: 'text',
    default_sla_config_id: 'uuid',
    assignment: 'json',
    fallback_department_id: 'uuid',
    archived: 'boolean',
    metadata: 'json',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    public: 'boolean',
    claim_order: 'text',
    reply_assigns: 'boolean',
  },
  email_suppressions: {
    id: 'uuid',
    address: 'text',
    reason: 'text',
    message_id: 'uuid',
    expires_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  end_user_sessions: {
    id: 'uuid',
    token_hash: 'bytea',
    end_user_id: 'uuid',
    conversation_id: 'uuid',
    created_by: 'text',
    lifetime_seconds: 'integer',
    expires_at: 'timestamptz',
    revoked_at: 'timestamptz',
    last_used_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  end_users: {
    id: 'uuid',
    external_id: 'text',
    name: 'text',
    name_key: 'text',
    emails: 'json',
    phones: 'text[]',
    language: 'text',
    timezone: 'text',
    avatar_url: 'text',
    company_ids: 'uuid[]',
    metadata: 'json',
    verified_at: 'timestamptz',
    last_seen_at: 'timestamptz',
    blocked_at: 'timestamptz',
    blocked_until: 'timestamptz',
    block_reason: 'text',
    merged_into_id: 'uuid',
    erased_at: 'timestamptz',
    search: 'tsvector',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    legal_hold_reason: 'text',
    legal_hold_since: 'timestamptz',
  },
  environments: {
    id: 'uuid',
    workspace_id: 'uuid',
    kind: 'text',
    clock_offset_ms: 'bigint',
    auto_close_after_seconds: 'integer',
    event_retention_days: 'integer',
    default_language: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    end_users_may_resolve: 'boolean',
    file_types_denied: 'text[]',
    claim_order: 'text',
    reply_assigns: 'boolean',
  },
  erasures: {
    id: 'uuid',
    end_user_id: 'uuid',
    mode: 'text',
    counts: 'json',
    audit_head_before: 'text',
    audit_head_after: 'text',
    exports: 'text[]',
    completed_at: 'timestamptz',
    sha256: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  faqs: {
    id: 'uuid',
    question: 'text',
    answer: 'text',
    answer_html: 'text',
    locale: 'text',
    locale_key: 'text',
    category_id: 'uuid',
    kb_article_id: 'uuid',
    position: 'integer',
    status: 'text',
    tag_ids: 'uuid[]',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  files: {
    id: 'uuid',
    filename: 'text',
    content_type: 'text',
    size_bytes: 'bigint',
    sha256: 'text',
    status: 'text',
    rejected_reason: 'text',
    end_user_id: 'uuid',
    conversation_id: 'uuid',
    in_knowledge_base: 'boolean',
    use_count: 'integer',
    copy: 'integer',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    required_scopes: 'text[]',
  },
  hold_reasons: {
    id: 'uuid',
    name: 'text',
    name_key: 'text',
    description: 'text',
    waiting_on: 'text',
    pauses_sla: 'boolean',
    resumes_on_reply: 'boolean',
    requires_note: 'boolean',
    default_duration_seconds: 'integer',
    max_duration_seconds: 'integer',
    on_expiry: 'text',
    follow_up_every_seconds: 'integer',
    follow_up_template_id: 'uuid',
    follow_up_max_count: 'integer',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  identity_keys: {
    id: 'uuid',
    name: 'text',
    algorithm: 'text',
    public_key: 'text',
    sealed_secret: 'bytea',
    issuer: 'text',
    audience: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  inbound_emails: {
    id: 'uuid',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    mailbox_id: 'uuid',
    source: 'text',
    status: 'text',
    reason: 'text',
    conversation_id: 'uuid',
    message_id: 'uuid',
    end_user_id: 'uuid',
    header_message_id: 'text',
    threaded_by: 'text',
    sender: 'json',
    to_addresses: 'json',
    cc_addresses: 'json',
    reply_to: 'json',
    subject: 'text',
    date: 'timestamptz',
    mail_from: 'text',
    rcpt_to: 'text[]',
    authentication: 'json',
    automatic: 'text',
    auto_reply: 'text',
    warnings: 'text[]',
    dropped_attachments: 'json',
    size_bytes: 'integer',
    duplicate_count: 'integer',
    content_hash: 'text',
    from_address: 'text',
    raw_file_id: 'uuid',
    kept: 'text',
    leased_until: 'timestamptz',
    attempts: 'integer',
  },
  invitations: {
    id: 'uuid',
    operator_id: 'uuid',
    number: 'integer',
    token_hash: 'bytea',
    email: 'text',
    role: 'text',
    highest_role: 'text',
    environments: 'text[]',
    expires_at: 'timestamptz',
    accepted_at: 'timestamptz',
    revoked_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  jobs: {
    id: 'uuid',
    type: 'text',
    status: 'text',
    dry_run: 'boolean',
    params: 'json',
    starter: 'json',
    state: 'json',
    done: 'integer',
    total: 'integer',
    failed: 'integer',
    result: 'json',
    error: 'json',
    started_at: 'timestamptz',
    ended_at: 'timestamptz',
    expires_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    attempts: 'integer',
    erases_params: 'boolean',
  },
  kb_article_versions: {
    article_id: 'uuid',
    version: 'integer',
    title: 'text',
    body: 'text',
    excerpt: 'text',
    published_at: 'timestamptz',
    published_by: 'json',
  },
  kb_articles: {
    id: 'uuid',
    collection_id: 'uuid',
    slug: 'text',
    locale: 'text',
    locale_key: 'text',
    title: 'text',
    body: 'text',
    body_html: 'text',
    excerpt: 'text',
    author_id: 'uuid',
    tag_ids: 'uuid[]',
    metadata: 'json',
    translation_of_id: 'uuid',
    family_id: 'uuid',
    status: 'text',
    published: 'json',
    published_body: 'text',
    published_body_html: 'text',
    published_collection_id: 'uuid',
    published_locale_key: 'text',
    published_author_id: 'uuid',
    published_tag_ids: 'uuid[]',
    published_version: 'integer',
    published_at: 'timestamptz',
    has_unpublished_changes: 'boolean',
    last_version: 'integer',
    publish_at: 'timestamptz',
    publish_by: 'json',
    former_slugs: 'text[]',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  kb_collections: {
    id: 'uuid',
    parent_id: 'uuid',
    name: 'text',
    name_key: 'text',
    slug: 'text',
    slug_key: 'text',
    position: 'integer',
    description: 'text',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  macros: {
    id: 'uuid',
    name: 'text',
    name_key: 'text',
    description: 'text',
    actions: 'json',
    department_ids: 'uuid[]',
    position: 'integer',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  mailboxes: {
    id: 'uuid',
    address: 'text',
    aliases: 'text[]',
    from_name: 'text',
    signature: 'text',
    department_id: 'uuid',
    outbound: 'text',
    smtp: 'json',
    smtp_password_sealed: 'bytea',
    status: 'text',
    plus_addressing: 'boolean',
    trusted_authserv_ids: 'text[]',
    reply_to_senders: 'text[]',
    auto_reply_template_id: 'uuid',
    auto_reply_to: 'text',
    quote: 'text',
    attach_max_bytes: 'integer',
    rate_per_minute: 'integer',
    verified_at: 'timestamptz',
    archived: 'boolean',
    metadata: 'json',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  message_revisions: {
    message_id: 'uuid',
    version: 'integer',
    body: 'text',
    written_at: 'timestamptz',
    replaced_at: 'timestamptz',
  },
  message_templates: {
    id: 'uuid',
    name: 'text',
    name_key: 'text',
    folder: 'text',
    body: 'text',
    body_format: 'text',
    locale: 'text',
    variants: 'json',
    variables: 'text[]',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  messages: {
    id: 'uuid',
    conversation_id: 'uuid',
    sequence: 'integer',
    author_side: 'text',
    operator_id: 'uuid',
    body: 'text',
    body_format: 'text',
    visibility: 'text',
    in_reply_to_id: 'uuid',
    external_id: 'text',
    metadata: 'json',
    edited_at: 'timestamptz',
    redacted_at: 'timestamptz',
    search: 'tsvector',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    template_id: 'uuid',
    author_end_user_id: 'uuid',
    attachments: 'json',
    body_html: 'text',
    email: 'json',
    delivery: 'json',
    mentions: 'uuid[]',
  },
  notification_preferences: {
    id: 'uuid',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    kinds: 'json',
    follow: 'json',
  },
  notifications: {
    id: 'uuid',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    operator_id: 'uuid',
    kind: 'text',
    reason: 'text',
    conversation_id: 'uuid',
    message_id: 'uuid',
    message_sequence: 'integer',
    event_id: 'uuid',
    actor_type: 'text',
    actor_id: 'text',
    actor_operator_id: 'text',
    sla_metric: 'text',
    count: 'integer',
    read_at: 'timestamptz',
    notified_at: 'timestamptz',
  },
  operators: {
    id: 'uuid',
    name: 'text',
    name_key: 'text',
    email: 'text',
    email_key: 'text',
    external_id: 'text',
    role: 'text',
    capacity: 'integer',
    timezone: 'text',
    archived: 'boolean',
    metadata: 'json',
    status: 'text',
    status_reason: 'text',
    status_since: 'timestamptz',
    status_until: 'timestamptz',
    status_then: 'text',
    offline_by_hand: 'boolean',
    open_conversations: 'integer',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  retention_policies: {
    id: 'uuid',
    name: 'text',
    name_key: 'text',
    filter: 'json',
    after_seconds: 'integer',
    action: 'text',
    status: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  scheduled_messages: {
    id: 'uuid',
    conversation_id: 'uuid',
    send_at: 'timestamptz',
    author_side: 'text',
    operator_id: 'uuid',
    body: 'text',
    body_format: 'text',
    visibility: 'text',
    template_id: 'uuid',
    in_reply_to_id: 'uuid',
    external_id: 'text',
    set_status: 'text',
    metadata: 'json',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    attachments: 'json',
    body_html: 'text',
    email: 'json',
    mentions: 'uuid[]',
  },
  sla_config_versions: {
    sla_config_id: 'uuid',
    version: 'integer',
    terms: 'json',
  },
  sla_configs: {
    id: 'uuid',
    name: 'text',
    name_key: 'text',
    description: 'text',
    position: 'integer',
    department_ids: 'uuid[]',
    category_ids: 'uuid[]',
    priorities: 'text[]',
    channels: 'text[]',
    tag_ids: 'uuid[]',
    targets: 'json',
    schedule: 'json',
    pauses_on_pending: 'boolean',
    warn_at_percent: 'integer',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    company_ids: 'uuid[]',
  },
  tags: {
    id: 'uuid',
    name: 'text',
    name_key: 'text',
    color: 'text',
    description: 'text',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    merged_into_id: 'uuid',
  },
  tree_versions: {
    tree: 'text',
    version: 'bigint',
  },
  views: {
    id: 'uuid',
    name: 'text',
    name_key: 'text',
    description: 'text',
    applies_to: 'text',
    filter: 'json',
    sort: 'text',
    columns: 'text[]',
    operator_ids: 'uuid[]',
    department_ids: 'uuid[]',
    position: 'integer',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  webhook_deliveries: {
    id: 'uuid',
    endpoint_id: 'uuid',
    event_id: 'uuid',
    event_type: 'text',
    epoch: 'integer',
    ordinal: 'integer',
    status: 'text',
    tries: 'integer',
    next_attempt_at: 'timestamptz',
    body: 'text',
    erased: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  webhook_endpoints: {
    id: 'uuid',
    url: 'text',
    description: 'text',
    enabled_events: 'text[]',
    status: 'text',
    disabled_reason: 'text',
    payload: 'text',
    header_names: 'text[]',
    headers_sealed: 'bytea',
    metadata: 'json',
    secret_hint: 'text',
    secret_sealed: 'bytea',
    former_secret_sealed: 'bytea',
    former_secret_until: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
    filter: 'json',
  },
} as const

/** Rows as they are read. Values of `json` columns have the types that the resources declare. */
export type Rows = {
  api_keys: {
    id: string
    name: string
    scopes: string[]
    allowed_cidrs: string[]
    secret_hint: string
    expires_at: Instant | null
    last_used_at: Instant | null
    rotated_at: Instant | null
    revoked_at: Instant | null
    created_at: Instant
    updated_at: Instant
    version: number
    kind: string
    allowed_origins: string[]
  }
  categories: {
    id: string
    parent_id: string | null
    name: string
    name_key: string
    position: number
    default_department_id: string | null
    default_priority: string | null
    description: string | null
    archived: boolean
    created_at: Instant
    updated_at: Instant
    version: number
    public: boolean
  }
  companies: {
    id: string
    external_id: string | null
    name: string
    name_key: string
    domains: string[]
    metadata: unknown
    archived: boolean
    search: never
    created_at: Instant
    updated_at: Instant
    version: number
  }
  console_sessions: {
    id: string
    token_hash: Buffer
    operator_id: string
    created_by: string
    user_agent: string | null
    ip: string | null
    last_used_at: Instant
    expires_at: Instant
    revoked_at: Instant | null
    created_at: Instant
    updated_at: Instant
    version: number
  }
  conversations: {
    id: string
    external_user_id: string | null
    subject: string | null
    initiated_by_side: string
    channel: string
    priority: string
    language: string | null
    external_id: string | null
    metadata: unknown
    follow_up_of_id: string | null
    status: string
    waiting_since: Instant | null
    message_count: number
    last_message_at: Instant | null
    last_message_side: string | null
    first_response_at: Instant | null
    resolved_at: Instant | null
    closed_at: Instant | null
    reopened_count: number
    merged_into_id: string | null
    read_by_end_user: number
    read_by_operator: number
    unread_by_end_user: number
    unread_by_operator: number
    search: never
    created_at: Instant
    updated_at: Instant
    version: number
    department_id: string | null
    category_id: string | null
    assignee_id: string | null
    assignment_strategy: string | null
    assignment_reason: string | null
    assigned_at: Instant | null
    awaits_routing: boolean
    tag_ids: string[]
    waiting_on: string | null
    hold_reason_id: string | null
    hold_note: string | null
    hold_since: Instant | null
    hold_until: Instant | null
    resumes_on_reply: boolean
    sla_config_id: string | null
    sla_config_version: number | null
    sla_follows: number | null
    sla: unknown | null
    sla_due_at: Instant | null
    unanswered_since: Instant | null
    hold_pauses_sla: boolean
    end_user_id: string | null
    company_id: string | null
    participant_ids: string[]
    mailbox_id: string | null
  }
  custom_fields: {
    id: string
    slot: string
    applies_to: string
    key: string
    name: string
    description: string | null
    type: string
    options: unknown
    required_on: string | null
    end_user_access: string
    indexed: boolean
    index_ready: boolean
    position: number
    archived: boolean
    created_at: Instant
    updated_at: Instant
    version: number
  }
  departments: {
    id: string
    name: string
    name_key: string
    description: string | null
    email: string | null
    default_sla_config_id: string | null
    assignment: unknown
    fallback_department_id: string | null
    archived: boolean
    metadata: unknown
    created_at: Instant
    updated_at: Instant
    version: number
    public: boolean
    claim_order: string
    reply_assigns: boolean
  }
  email_suppressions: {
    id: string
    address: string
    reason: string
    message_id: string | null
    expires_at: Instant | null
    created_at: Instant
    updated_at: Instant
    version: number
  }
  end_user_sessions: {
    id: string
    token_hash: Buffer
    end_user_id: string
    conversation_id: string | null
    created_by: string
    lifetime_seconds: number
    expires_at: Instant
    revoked_at: Instant | null
    last_used_at: Instant | null
    created_at: Instant
    updated_at: Instant
    version: number
  }
  end_users: {
    id: string
    external_id: string | null
    name: string | null
    name_key: string
    emails: unknown
    phones: string[]
    language: string | null
    timezone: string | null
    avatar_url: string | null
    company_ids: string[]
    metadata: unknown
    verified_at: Instant | null
    last_seen_at: Instant | null
    blocked_at: Instant | null
    blocked_until: Instant | null
    block_reason: string | null
    merged_into_id: string | null
    erased_at: Instant | null
    search: never | null
    created_at: Instant
    updated_at: Instant
    version: number
    legal_hold_reason: string | null
    legal_hold_since: Instant | null
  }
  environments: {
    id: string
    workspace_id: string
    kind: string
    clock_offset_ms: number
    auto_close_after_seconds: number
    event_retention_days: number
    default_language: string | null
    created_at: Instant
    updated_at: Instant
    version: number
    end_users_may_resolve: boolean
    file_types_denied: string[] | null
    claim_order: string
    reply_assigns: boolean
  }
  erasures: {
    id: string
    end_user_id: string
    mode: string
    counts: unknown
    audit_head_before: string | null
    audit_head_after: string | null
    exports: string[]
    completed_at: Instant
    sha256: string
    created_at: Instant
    updated_at: Instant
    version: number
  }
  faqs: {
    id: string
    question: string
    answer: string
    answer_html: string
    locale: string
    locale_key: string
    category_id: string | null
    kb_article_id: string | null
    position: number
    status: string
    tag_ids: string[]
    archived: boolean
    created_at: Instant
    updated_at: Instant
    version: number
  }
  files: {
    id: string
    filename: string
    content_type: string
    size_bytes: number
    sha256: string | null
    status: string
    rejected_reason: string | null
    end_user_id: string | null
    conversation_id: string | null
    in_knowledge_base: boolean
    use_count: number
    copy: number | null
    created_at: Instant
    updated_at: Instant
    version: number
    required_scopes: string[] | null
  }
  hold_reasons: {
    id: string
    name: string
    name_key: string
    description: string | null
    waiting_on: string
    pauses_sla: boolean
    resumes_on_reply: boolean
    requires_note: boolean
    default_duration_seconds: number | null
    max_duration_seconds: number | null
    on_expiry: string
    follow_up_every_seconds: number | null
    follow_up_template_id: string | null
    follow_up_max_count: number | null
    archived: boolean
    created_at: Instant
    updated_at: Instant
    version: number
  }
  identity_keys: {
    id: string
    name: string
    algorithm: string
    public_key: string | null
    sealed_secret: Buffer | null
    issuer: string | null
    audience: string | null
    created_at: Instant
    updated_at: Instant
    version: number
  }
  inbound_emails: {
    id: string
    created_at: Instant
    updated_at: Instant
    version: number
    mailbox_id: string | null
    source: string
    status: string
    reason: string | null
    conversation_id: string | null
    message_id: string | null
    end_user_id: string | null
    header_message_id: string | null
    threaded_by: string | null
    sender: unknown | null
    to_addresses: unknown
    cc_addresses: unknown
    reply_to: unknown
    subject: string | null
    date: Instant | null
    mail_from: string | null
    rcpt_to: string[]
    authentication: unknown | null
    automatic: string | null
    auto_reply: string | null
    warnings: string[]
    dropped_attachments: unknown
    size_bytes: number
    duplicate_count: number
    content_hash: string
    from_address: string | null
    raw_file_id: string | null
    kept: string
    leased_until: Instant | null
    attempts: number
  }
  invitations: {
    id: string
    operator_id: string
    number: number
    token_hash: Buffer
    email: string
    role: string
    highest_role: string
    environments: string[]
    expires_at: Instant
    accepted_at: Instant | null
    revoked_at: Instant | null
    created_at: Instant
    updated_at: Instant
    version: number
  }
  jobs: {
    id: string
    type: string
    status: string
    dry_run: boolean
    params: unknown
    starter: unknown
    state: unknown
    done: number
    total: number | null
    failed: number
    result: unknown | null
    error: unknown | null
    started_at: Instant | null
    ended_at: Instant | null
    expires_at: Instant | null
    created_at: Instant
    updated_at: Instant
    version: number
    attempts: number
    erases_params: boolean
  }
  kb_article_versions: {
    article_id: string
    version: number
    title: string
    body: string
    excerpt: string | null
    published_at: Instant
    published_by: unknown
  }
  kb_articles: {
    id: string
    collection_id: string | null
    slug: string
    locale: string
    locale_key: string
    title: string | null
    body: string | null
    body_html: string
    excerpt: string | null
    author_id: string | null
    tag_ids: string[]
    metadata: unknown
    translation_of_id: string | null
    family_id: string
    status: string
    published: unknown | null
    published_body: string | null
    published_body_html: string | null
    published_collection_id: string | null
    published_locale_key: string | null
    published_author_id: string | null
    published_tag_ids: string[]
    published_version: number | null
    published_at: Instant | null
    has_unpublished_changes: boolean
    last_version: number
    publish_at: Instant | null
    publish_by: unknown | null
    former_slugs: string[]
    created_at: Instant
    updated_at: Instant
    version: number
  }
  kb_collections: {
    id: string
    parent_id: string | null
    name: string
    name_key: string
    slug: string
    slug_key: string
    position: number
    description: string | null
    archived: boolean
    created_at: Instant
    updated_at: Instant
    version: number
  }
  macros: {
    id: string
    name: string
    name_key: string
    description: string | null
    actions: unknown
    department_ids: string[]
    position: number
    archived: boolean
    created_at: Instant
    updated_at: Instant
    version: number
  }
  mailboxes: {
    id: string
    address: string
    aliases: string[]
    from_name: string | null
    signature: string | null
    department_id: string | null
    outbound: string
    smtp: unknown | null
    smtp_password_sealed: Buffer | null
    status: string
    plus_addressing: boolean
    trusted_authserv_ids: string[]
    reply_to_senders: string[]
    auto_reply_template_id: string | null
    auto_reply_to: string | null
    quote: string
    attach_max_bytes: number
    rate_per_minute: number
    verified_at: Instant | null
    archived: boolean
    metadata: unknown
    created_at: Instant
    updated_at: Instant
    version: number
  }
  message_revisions: {
    message_id: string
    version: number
    body: string
    written_at: Instant
    replaced_at: Instant
  }
  message_templates: {
    id: string
    name: string
    name_key: string
    folder: string | null
    body: string
    body_format: string
    locale: string | null
    variants: unknown
    variables: string[]
    archived: boolean
    created_at: Instant
    updated_at: Instant
    version: number
  }
  messages: {
    id: string
    conversation_id: string
    sequence: number
    author_side: string
    operator_id: string | null
    body: string
    body_format: string
    visibility: string
    in_reply_to_id: string | null
    external_id: string | null
    metadata: unknown
    edited_at: Instant | null
    redacted_at: Instant | null
    search: never
    created_at: Instant
    updated_at: Instant
    version: number
    template_id: string | null
    author_end_user_id: string | null
    attachments: unknown | null
    body_html: string | null
    email: unknown | null
    delivery: unknown | null
    mentions: string[] | null
  }
  notification_preferences: {
    id: string
    created_at: Instant
    updated_at: Instant
    version: number
    kinds: unknown
    follow: unknown
  }
  notifications: {
    id: string
    created_at: Instant
    updated_at: Instant
    version: number
    operator_id: string
    kind: string
    reason: string
    conversation_id: string
    message_id: string | null
    message_sequence: number | null
    event_id: string
    actor_type: string
    actor_id: string | null
    actor_operator_id: string | null
    sla_metric: string | null
    count: number
    read_at: Instant | null
    notified_at: Instant
  }
  operators: {
    id: string
    name: string
    name_key: string
    email: string
    email_key: string
    external_id: string | null
    role: string
    capacity: number | null
    timezone: string | null
    archived: boolean
    metadata: unknown
    status: string
    status_reason: string | null
    status_since: Instant
    status_until: Instant | null
    status_then: string | null
    offline_by_hand: boolean
    open_conversations: number
    created_at: Instant
    updated_at: Instant
    version: number
  }
  retention_policies: {
    id: string
    name: string
    name_key: string
    filter: unknown
    after_seconds: number
    action: string
    status: string
    created_at: Instant
    updated_at: Instant
    version: number
  }
  scheduled_messages: {
    id: string
    conversation_id: string
    send_at: Instant
    author_side: string
    operator_id: string | null
    body: string
    body_format: string
    visibility: string
    template_id: string | null
    in_reply_to_id: string | null
    external_id: string | null
    set_status: string | null
    metadata: unknown
    created_at: Instant
    updated_at: Instant
    version: number
    attachments: unknown | null
    body_html: string | null
    email: unknown | null
    mentions: string[] | null
  }
  sla_config_versions: {
    sla_config_id: string
    version: number
    terms: unknown
  }
  sla_configs: {
    id: string
    name: string
    name_key: string
    description: string | null
    position: number
    department_ids: string[]
    category_ids: string[]
    priorities: string[]
    channels: string[]
    tag_ids: string[]
    targets: unknown
    schedule: unknown | null
    pauses_on_pending: boolean
    warn_at_percent: number | null
    archived: boolean
    created_at: Instant
    updated_at: Instant
    version: number
    company_ids: string[]
  }
  tags: {
    id: string
    name: string
    name_key: string
    color: string | null
    description: string | null
    archived: boolean
    created_at: Instant
    updated_at: Instant
    version: number
    merged_into_id: string | null
  }
  tree_versions: {
    tree: string
    version: number
  }
  views: {
    id: string
    name: string
    name_key: string
    description: string | null
    applies_to: string
    filter: unknown
    sort: string
    columns: string[]
    operator_ids: string[]
    department_ids: string[]
    position: number
    archived: boolean
    created_at: Instant
    updated_at: Instant
    version: number
  }
  webhook_deliveries: {
    id: string
    endpoint_id: string
    event_id: string
    event_type: string
    epoch: number | null
    ordinal: number | null
    status: string
    tries: number
    next_attempt_at: Instant | null
    body: string | null
    erased: boolean
    created_at: Instant
    updated_at: Instant
    version: number
  }
  webhook_endpoints: {
    id: string
    url: string
    description: string | null
    enabled_events: string[]
    status: string
    disabled_reason: string | null
    payload: string
    header_names: string[]
    headers_sealed: Buffer | null
    metadata: unknown
    secret_hint: string
    secret_sealed: Buffer
    former_secret_sealed: Buffer | null
    former_secret_until: Instant | null
    created_at: Instant
    updated_at: Instant
    version: number
    filter: unknown | null
  }
}

/** A row of a table, with narrower types for some columns, and without columns that are only written. */
export type RowOf<Table extends keyof Rows, Narrower = unknown, Unread extends keyof Rows[Table] = never> = Omit<
  Rows[Table],
  keyof Narrower | Unread
> &
  Narrower
