import { type DemoOperator, operators } from './catalogue.ts'
import { type Random, randomOf } from './random.ts'
import type { Story } from './stories.ts'
import { type Details, detailsOf, filled, type Person, personOf, sentences } from './texts.ts'

export type Step =
  | { kind: 'customer'; body: string }
  /** Mentions operators, by their names. */
  | { kind: 'note'; body: string; mentions: string[] }
  | { kind: 'operator'; body: string; status?: 'pending' | 'resolved' }
  | { kind: 'hold'; reason: string; note: string }
  | { kind: 'close' }

/** One conversation of the demo. It follows from the seed and its number, however many there are. */
export type Plan = {
  externalId: string
  /** Its place in time: 0 for the oldest, below 1 for the newest. */
  when: number
  person: Person
  channel: 'email' | 'chat' | 'web' | 'mobile' | 'social' | 'phone'
  priority: 'low' | 'normal' | 'high' | 'urgent'
  subject: string
  department: string
  category: string
  tags: string[]
  /** The name of the operator; null while nobody has taken it. */
  operator: string | null
  opening: string
  steps: Step[]
  /** How it stands after all steps. */
  outcome: Outcome
}

/** How conversations stand, in percent. */
const outcomes = { new: 7, open: 15, pending: 10, on_hold: 6, resolved: 37, closed: 25 }
type Outcome = keyof typeof outcomes
/** The span of time in which conversations of an outcome began: what is old is done. */
const ages: Record<Outcome, [from: number, to: number]> = {
  closed: [0, 0.8],
  resolved: [0.15, 0.97],
  on_hold: [0.6, 0.98],
  pending: [0.65, 0.99],
  open: [0.75, 1],
  new: [0.9, 1],
}
const customers = 1_400

export const externalIdOf = (seed: string, index: number): string => `demo-${seed}-${index}`

export function planOf(seed: string, index: number, stories: Story[]): Plan {
  const random = randomOf(`${seed}/${index}`)
  const weights = Object.fromEntries(stories.map(({ weight = 1 }, i) => [String(i), weight]))
  const story = stories[Number(random.weighted(weights))]!
  const outcome = random.weighted(outcomes)
  const [from, to] = ages[outcome]
  const number = random.between(1, customers)
  const person = personOf(randomOf(`${seed}/customer/${number}`), number)
  const operator = random.pick(operators.filter(({ departments }) => departments.includes(story.department)))
  const channel = random.weighted({ email: 40, chat: 24, web: 18, mobile: 12, social: 4, phone: 2 })
  const writer = writerOf(
    random,
    channel === 'email' || channel === 'web',
    person,
    operator,
    detailsOf(random),
  )
  return {
    externalId: externalIdOf(seed, index),
    when: from + random.next() * (to - from),
    person,
    channel,
    priority: story.isUrgent
      ? random.weighted({ normal: 2, high: 4, urgent: 4 })
      : random.weighted({ low: 14, normal: 66, high: 17, urgent: 3 }),
    subject: writer.fill(random.pick(story.subjects)),
    department: story.department,
    category: story.category,
    tags: [...story.tags, ...moreTags(random)],
    operator: outcome === 'new' ? null : operator.name,
    opening: openingOf(random, story, writer),
    steps: withMentions(
      stepsOf(random, story, outcome, writer),
      randomOf(`${seed}/${index}/mentions`),
      operators.filter((each) => each !== operator && each.departments.includes(story.department)),
    ),
    outcome,
  }
}

function* moreTags(random: Random): Iterable<string> {
  if (random.chance(0.06)) yield 'VIP'
  if (random.chance(0.05)) yield 'complaint'
  if (random.chance(0.03)) yield 'feature request'
}

type Writer = {
  fill(text: string): string
  customer(text: string): string
  operator(text: string): string
  /** As the operator, of things to come. */
  outlook(text: string): string
}

/** Letters have a greeting and an end, chats have neither. */
function writerOf(
  random: Random,
  isLetter: boolean,
  { first }: Person,
  operator: DemoOperator,
  details: Details,
): Writer {
  const fill = (text: string) => filled(text, details)
  const letter = (greeting: string, text: string, end: string) =>
    isLetter ? [greeting, text, end].join('\n\n') : text
  const signed = (text: string) =>
    letter(
      `Hello ${first},`,
      fill(text),
      `${random.pick(sentences.goodbyes)}\n${operator.name.split(' ')[0]}`,
    )
  return {
    fill,
    customer(text) {
      const greeting = random.pick(sentences.greetings)
      const end = random.chance(0.8) ? `${random.pick(sentences.goodbyes)}\n${first}` : first
      return letter(greeting, fill(text), end)
    },
    operator: signed,
    outlook: (text) => signed(filled(text, { ...details, weekday: details.nextday! })),
  }
}

function openingOf(random: Random, story: Story, writer: Writer): string {
  const texts = [random.pick(story.openings)]
  if (random.chance(0.75)) texts.push(random.pick(story.additions))
  return writer.customer(texts.join(' '))
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Some notes ask a colleague. */
function withMentions(steps: Step[], random: Random, colleagues: DemoOperator[]): Step[] {
  return steps.map((step) => {
    if (step.kind !== 'note' || colleagues.length === 0 || !random.chance(0.4)) return step
    const { name } = random.pick(colleagues)
    return { ...step, body: `${step.body} @${name}, ${random.pick(sentences.questions)}`, mentions: [name] }
  })
}

/** Everything after the first message: 1 to 11 messages, and what happens besides. */
function stepsOf(random: Random, story: Story, outcome: Outcome, writer: Writer): Step[] {
  const customer = (text: string): Step => ({ kind: 'customer', body: writer.customer(text) })
  const note = (): Step => ({ kind: 'note', body: writer.fill(random.pick(story.notes)), mentions: [] })
  if (outcome === 'new') {
    const nudges = random.weighted({ 1: 7, 2: 2, 3: 1 })
    return shuffled(random, sentences.nudges).slice(0, Number(nudges)).map(customer)
  }
  const steps: Step[] = []
  if (random.chance(0.2)) steps.push(customer(random.pick([...sentences.nudges, ...story.additions])))
  if (random.chance(0.18)) steps.push(note())
  const isOver = outcome === 'resolved' || outcome === 'closed'
  const talks = Number(random.weighted(isOver ? { 0: 45, 1: 38, 2: 12, 3: 5 } : { 1: 70, 2: 22, 3: 8 }))
  const exchanges = shuffled(random, story.exchanges).slice(0, talks)
  for (const [i, [question, answer]] of exchanges.entries()) {
    const start = i === 0 ? `${capitalized(random.pick(sentences.acknowledgements))} ` : ''
    const isLast = i === exchanges.length - 1
    steps.push({ kind: 'operator', body: writer.operator(start + question), status: 'pending' })
    if (isLast && outcome === 'pending') return steps
    steps.push(customer(answer))
  }
  if (outcome === 'open') return steps
  if (random.chance(0.15)) steps.push(note())
  if (outcome === 'on_hold') {
    const why = writer.fill(random.pick(story.notes))
    steps.push({ kind: 'operator', body: writer.outlook(capitalized(random.pick(sentences.waits))) })
    return [...steps, { kind: 'hold', reason: story.hold ?? 'Waiting for the customer', note: why }]
  }
  const solution = writer.outlook(random.pick(story.solutions))
  if (random.chance(0.25)) {
    steps.push({ kind: 'operator', body: solution, status: 'pending' })
    steps.push(customer(random.pick(sentences.thanks)))
    const farewell = writer.operator(random.pick(sentences.farewells))
    steps.push({ kind: 'operator', body: farewell, status: 'resolved' })
  } else steps.push({ kind: 'operator', body: solution, status: 'resolved' })
  return outcome === 'closed' ? [...steps, { kind: 'close' }] : steps
}

function shuffled<Value>(random: Random, values: readonly Value[]): Value[] {
  return values
    .map((value) => ({ value, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)
}

/** The messages of a step's conversation that the step adds. */
export const isMessage = ({ kind }: Step): boolean =>
  kind === 'customer' || kind === 'operator' || kind === 'note'
