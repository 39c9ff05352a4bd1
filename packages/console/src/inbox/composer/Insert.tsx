import type { Conversation, Macro, MessageTemplate } from '@backline/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useMacros, useTemplates } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useSettled } from '../../data/settled.ts'
import { IconButton } from '../../design/Button.tsx'
import { matches } from '../../design/Combobox.tsx'
import { Icon } from '../../design/Icon.tsx'
import { Picker, type PickerOption } from '../../design/Picker.tsx'
import { useTexts } from '../../texts/language.tsx'
import { type Help, helpOf } from './articles.ts'
import { fits, useCanApplyMacros } from './Macros.tsx'
import { TemplatePreview } from './TemplatePreview.tsx'
import { texts } from './texts.ts'
import { type TypedList, useTypedList } from './use-typed-list.ts'

type InsertProps = {
  conversation: Conversation
  list: TypedList
  suggested: Help[]
  onTemplate(template: MessageTemplate): void
  onHelp(help: Help): void
  onMacro(macro: Macro): void
}

const mostFound = 5

/** Whatever can be put into a message, found by one search: `/` at the start of a word opens it. */
export function Insert(props: InsertProps) {
  const { conversation, list, suggested, onTemplate, onHelp, onMacro } = props
  const { isOpen } = list
  const text = useTexts(texts)
  // A path or a fraction was meant, or the slash alone.
  const { query, chosen, picker } = useTypedList(list, (typed) => /^\s|\//.test(typed))
  const { can } = useEnvironment()
  const appliesMacros = useCanApplyMacros(conversation)
  const templates = useTemplates(isOpen && can('message_templates:read'))
  const macros = useMacros(isOpen && appliesMacros)
  const found = useHelp(isOpen ? query.trim() : '')
  const helps = query.trim() === '' ? suggested : (found.data ?? [])
  const isFound = (option: PickerOption) => matches(option, query)
  const isSearch = query.trim() !== ''
  const helpOptions: PickerOption[] = helps.map(({ id, title, detail }) => ({
    id,
    label: title,
    detail: detail || undefined,
    group: isSearch ? text.articles : text.suggested,
    picture: <Icon name="book" />,
  }))
  const options: PickerOption[] = [
    ...(isSearch ? [] : helpOptions),
    ...(templates.data ?? [])
      .map(({ id, name, folder, body }) => ({
        id,
        label: name,
        note: folder ?? undefined,
        keywords: body,
        group: text.templates,
        picture: <Icon name="template" />,
      }))
      .filter(isFound),
    ...(appliesMacros ? (macros.data ?? []) : [])
      .filter(fits(conversation))
      .map(({ id, name, description }) => ({
        id,
        label: name,
        detail: description ?? undefined,
        group: text.macros,
        picture: <Icon name="bolt" />,
      }))
      .filter(isFound),
    // What is found later stands behind what a person may be about to choose.
    ...(isSearch ? helpOptions : []),
  ]
  const choose = (id: string) => {
    chosen()
    const help = helps.find((each) => each.id === id)
    const template = templates.data?.find((each) => each.id === id)
    const macro = macros.data?.find((each) => each.id === id)
    if (help) onHelp(help)
    else if (template) onTemplate(template)
    else if (macro) onMacro(macro)
  }
  return (
    <Picker
      trigger={<IconButton isSmall icon="plus" label={text.insertAny} shortcut="/" />}
      title={text.findAny}
      options={options}
      {...picker}
      onSelect={choose}
      preview={(id) => id.startsWith('tmpl_') && <TemplatePreview id={id} conversation={conversation} />}
      isLoading={templates.isLoading || macros.isLoading || found.isLoading}
      empty={text.nothingFound}
    />
  )
}

/** Searches published articles and FAQs. */
function useHelp(query: string) {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const q = useSettled(query)
  const isAsked = query !== ''
  const search = useQuery({
    queryKey: ['help', q],
    queryFn:
      isAsked && q !== ''
        ? async ({ signal }) => {
            const limit = mostFound
            const [articles, faqs] = await Promise.all([
              can('kb:read') ? backline.kb.search({ q, limit }, { signal }) : { data: [] },
              can('faqs:read')
                ? backline.faqs.list({ q, status: 'published', limit }, { signal })
                : { data: [] },
            ])
            return [
              ...articles.data.map(({ article }) => helpOf({ article, faq: null }, text.untitled)),
              ...faqs.data.map((faq) => helpOf({ article: null, faq }, text.untitled)),
            ]
          }
        : skipToken,
  })
  return { data: isAsked && q === query ? search.data : undefined, isLoading: search.isLoading }
}
