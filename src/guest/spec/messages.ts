/** A row's author: `assistant` is side A, `user` side B, whoever stands behind them. */
export type MessageRole = "system" | "user" | "assistant" | "tool";

/** A JSON object that a message carries. */
export type Metadata = Record<string, unknown>;

/** A file of the thread that goes with a message. */
export interface AttachmentRef {
  id: string;
  type: "file";
  /** `/attachments/scan.pdf` */
  path: string;
  name: string;
  mimeType: string;
  /** Bytes. */
  size: number;
  width?: number;
  height?: number;
  description?: string;
}

/** A file that is given with its content. */
export interface ToolAttachment {
  name: string;
  mimeType: string;
  /** Base64. */
  data: string;
  width?: number;
  height?: number;
}

/** A persisted message, whole. */
export interface Message {
  id: string;
  role: MessageRole;
  content: string | null;
  name?: string;
  /** JSON text of the calls that a model asked for. */
  tool_calls?: string;
  tool_call_id?: string;
  /** Microseconds since 1970. */
  created_at: number;
  status?: "pending" | "completed" | "failed" | null;
  tool_status?: "success" | "error" | null;
  /** Not for people's eyes; models and handlers get it. */
  silent?: boolean;
  metadata?: Metadata;
  parent_id?: string;
  /** 0 for the conversation itself, more inside sub-prompts. */
  depth?: number;
  attachments?: AttachmentRef[];
}

/** A message as it goes to a model. */
export interface LLMMessage {
  role: MessageRole;
  content: string | null;
  name?: string;
  tool_calls?: string;
  tool_call_id?: string;
  attachments?: AttachmentRef[];
}

/** Which messages. */
export interface GetMessagesOptions {
  /** 100 unless said. */
  limit?: number;
  /** 0 unless said. */
  offset?: number;
  /** `asc`: the newest window in order of time; `desc`: newest first. */
  order?: "asc" | "desc";
  includeSilent?: boolean;
  /** 0, the conversation alone, unless said. */
  maxDepth?: number;
}

/** A window of messages. */
export interface MessagesPage {
  messages: Message[];
  total: number;
  hasMore: boolean;
}

/** A message to append; it wakes nobody. */
export interface InjectMessageInput {
  role: MessageRole;
  content: string | null;
  /** A fresh one unless said. */
  id?: string;
  name?: string;
  silent?: boolean;
  metadata?: Metadata;
  toolCallId?: string;
  /** JSON text of the calls, for a message of a model's. */
  tool_calls?: string;
  attachments?: (AttachmentRef | ToolAttachment | string)[];
}

/** A message that the side which acts on its role is woken for. */
export interface QueueMessageInput {
  role: "user" | "assistant";
  content: string;
  attachments?: (AttachmentRef | ToolAttachment | string)[];
  silent?: boolean;
  metadata?: Metadata;
}

/** What of a message may change; `metadata` is merged. */
export interface MessageUpdates {
  content?: string | null;
  metadata?: Metadata;
  silent?: boolean;
  attachments?: AttachmentRef[];
}
