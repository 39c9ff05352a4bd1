import type { Faq } from '@backline/sdk'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { useParams } from '../../app/use-params.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Badge } from '../../design/Badge.tsx'
import { buttonClass, IconButton } from '../../design/Button.tsx'
import { Select, TextField } from '../../design/Field.tsx'
import { Icon } from '../../design/Icon.tsx'
import { FilterRow, FramedList, Quiet, Row, Stack, Truncated } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { Page } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useLocaleName } from '../../texts/locales.ts'
import { useFaqs } from '../shared/faqs.ts'
import styles from './FaqsPage.module.css'
import { mostOrdered, movedTo, useReorder } from './order.ts'
import { stateOf, states, tones } from './states.ts'
import { texts } from './texts.ts'

const names = ['q', 'state'] as const

export function FaqsPage() {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const [, navigate] = useLocation()
  const [{ q, state: wanted }, set] = useParams(names)
  const list = useFaqs()
  const all = list.data ?? []
  const mayWrite = can('faqs:write')
  useCommands(
    mayWrite
      ? [
          {
            label: text.newFaq,
            group: text.faqs,
            icon: 'plus',
            shortcut: 'c',
            run: () => navigate('/faqs/new'),
          },
        ]
      : [],
  )
  const state = states.find((each) => each === wanted) ?? ''
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const ordered = [...all].sort((a, b) => a.position - b.position)
  const shown = ordered.filter((faq) => {
    const content = [faq.question, faq.answer, ...faq.tags].join(' ').toLowerCase()
    const isInState = state === '' ? !faq.archived : stateOf(faq) === state
    return isInState && words.every((word) => content.includes(word))
  })
  const create = mayWrite && (
    <Link href="/faqs/new" className={buttonClass('primary')}>
      <Icon name="plus" /> {text.newFaq}
    </Link>
  )
  return (
    <Page title={text.faqs} intro={text.intro} actions={create}>
      <Stack gap={3}>
        <FilterRow>
          <TextField
            label={text.search}
            hideLabel
            type="search"
            placeholder={text.search}
            value={q}
            onChange={(event) => set({ q: event.target.value })}
          />
          <Select
            label={text.status}
            hideLabel
            value={state}
            onChange={(event) => set({ state: event.target.value })}
            empty={text.allStates}
            options={states.map((each) => ({ value: each, label: text[each] }))}
          />
        </FilterRow>
        <Loaded query={list} lines={8}>
          {() =>
            shown.length > 0 ? (
              <OrderedList all={ordered} shown={shown} mayOrder={mayWrite && words.length === 0} />
            ) : all.length > 0 ? (
              <EmptyState icon="search" title={text.noMatch} />
            ) : (
              <EmptyState icon="note" title={text.none}>
                {mayWrite && <p>{text.noneHint}</p>}
                {create}
              </EmptyState>
            )
          }
        </Loaded>
      </Stack>
    </Page>
  )
}

type OrderedListProps = { all: Faq[]; shown: Faq[]; mayOrder: boolean }

/** Buttons and Alt with an arrow key move an item. The focus follows it, and its place is announced. */
function OrderedList({ all, shown, mayOrder }: OrderedListProps) {
  const text = useTexts(texts)
  const formats = useFormats()
  const localeName = useLocaleName()
  const reorder = useReorder()
  const list = useRef<HTMLOListElement>(null)
  const [said, setSaid] = useState('')
  const focusAfter = useRef<Element | null>(null)
  useEffect(() => {
    const element = focusAfter.current
    focusAfter.current = null
    if (!(element instanceof HTMLElement) || !list.current?.contains(element)) return
    const isDisabled = element instanceof HTMLButtonElement && element.disabled
    const other = element.parentElement?.querySelector<HTMLElement>('button:not([disabled])')
    ;(isDisabled ? (other ?? element) : element).focus()
  })
  const canOrder = mayOrder && all.length <= mostOrdered
  const hasLocales = new Set(shown.map(({ locale }) => locale)).size > 1
  function move(index: number, by: number): void {
    const [faq, target] = [shown[index], shown[index + by]]
    if (!faq || !target || !canOrder) return
    focusAfter.current = document.activeElement
    setSaid(text.moved(formats.number(index + by + 1), formats.number(shown.length)))
    reorder(movedTo(all, faq.id, target.id))
  }
  const onKey = (event: KeyboardEvent, index: number) => {
    if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    move(index, event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <>
      <FramedList as="ol" ref={list}>
        {shown.map((faq, i) => (
          <Row
            as="li"
            key={faq.id}
            gap={3}
            className={styles.faq}
            onKeyDown={(event: KeyboardEvent) => onKey(event, i)}
          >
            <small className={styles.place}>{formats.number(i + 1)}</small>
            <Stack as="span" gap={0} className={styles.question}>
              <Link href={`/faqs/${faq.id}`} dir="auto">
                {faq.question}
              </Link>
              <Truncated as="small" dir="auto">
                {plainTextOf(faq.answer_html)}
              </Truncated>
            </Stack>
            {hasLocales && <Quiet>{localeName(faq.locale)}</Quiet>}
            <Badge tone={tones[stateOf(faq)]}>{text[stateOf(faq)]}</Badge>
            {canOrder && (
              <span className={styles.order}>
                <IconButton
                  icon="arrowUp"
                  isSmall
                  label={text.moveUp(faq.question)}
                  disabled={i === 0}
                  onClick={() => move(i, -1)}
                />
                <IconButton
                  icon="arrowDown"
                  isSmall
                  label={text.moveDown(faq.question)}
                  disabled={i === shown.length - 1}
                  onClick={() => move(i, 1)}
                />
              </span>
            )}
          </Row>
        ))}
      </FramedList>
      <small>
        {canOrder && shown.length > 1 && text.orderHint}
        {mayOrder && all.length > mostOrdered && text.orderCut}
      </small>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </>
  )
}

const plainTextOf = (html: string): string =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent
