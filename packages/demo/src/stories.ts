import texts from './stories.json' with { type: 'json' }

/**
 * The texts of one kind of request. A conversation takes one of each; words in braces, such as {order}, are filled in
 * (`details` in texts.ts).
 */
export type Story = {
  /** The names of the department and of the category (catalogue.ts). */
  department: string
  category: string
  tags: string[]
  /** How often it is told, compared with others; default 1. */
  weight?: number
  isUrgent?: true
  /** The name of the hold reason that such a conversation can wait for. */
  hold?: string
  subjects: string[]
  /** The first sentences of the customer, and more that they may add. */
  openings: string[]
  additions: string[]
  /** Questions of the operator, each with an answer. */
  exchanges: [question: string, answer: string][]
  notes: string[]
  solutions: string[]
}

/** The stories of Fernhill: Pay, Shop and Plan. */
export const stories = texts as unknown as Story[] // JSON has no pairs
