/** `defineModel`: a name of the project's own for a model that its `llm/v1` service knows. */
export interface ModelDefinition {
  name: string;
  /** The model as the service names it. */
  model: string;
  provider?: string | ProviderDefinition;
  maxTokens?: number;
  temperature?: number;
  /** US dollars for a million tokens. */
  inputPrice?: number;
  outputPrice?: number;
  cachedPrice?: number;
  description?: string;
}

/** `defineProvider`: kept for definitions that name one; models are reached through the project's services. */
export interface ProviderDefinition {
  name: string;
  label?: string;
  [option: string]: unknown;
}
