import assert from 'node:assert/strict'
import { test } from 'node:test'
import { departments, holdReasons, operators, products } from './catalogue.ts'
import { isMessage, planOf } from './plan.ts'
import { stories } from './stories.ts'

const plans = Array.from({ length: 2_000 }, (_, index) => planOf('1', index, stories))

test('a seed gives the same conversations however many there are, and another seed gives others', () => {
  assert.deepEqual(planOf('1', 1_234, stories), plans[1_234])
  assert.notDeepEqual(planOf('2', 1_234, stories), plans[1_234])
})

test('conversations have 2 to 12 messages, and refer to what the desk has', () => {
  const names = (all: { name: string }[]) => new Set(all.map(({ name }) => name))
  const [desks, reasons, people] = [names(departments), names(holdReasons), names(operators)]
  const categories = new Set(products.flatMap(({ categories }) => categories))
  for (const plan of plans) {
    const messages = 1 + plan.steps.filter(isMessage).length
    assert.ok(messages >= 2 && messages <= 12, `${plan.externalId} has ${messages} messages`)
    assert.ok(desks.has(plan.department) && categories.has(plan.category), plan.category)
    assert.ok(plan.operator === null || people.has(plan.operator))
    assert.ok(plan.when >= 0 && plan.when < 1)
    for (const step of plan.steps) {
      assert.ok(step.kind !== 'hold' || reasons.has(step.reason))
      if (step.kind === 'note')
        for (const name of step.mentions) assert.ok(people.has(name) && step.body.includes(`@${name}, `))
    }
  }
})

test('some notes mention a colleague', () => {
  const notes = plans.flatMap(({ steps }) => steps.filter((step) => step.kind === 'note'))
  const share = notes.filter(({ mentions }) => mentions.length > 0).length / notes.length
  assert.ok(share > 0.2 && share < 0.5, `${share}`)
})

test('texts are filled in, and nearly all first messages differ', () => {
  const texts = plans.flatMap(({ subject, opening, steps }) => [
    subject,
    opening,
    ...steps.flatMap((step) => ('body' in step ? [step.body] : [])),
  ])
  for (const text of texts) assert.doesNotMatch(text, /[{}]|undefined|^\s|\s$/)
  assert.ok(new Set(plans.map(({ opening }) => opening)).size > 1_800)
})
