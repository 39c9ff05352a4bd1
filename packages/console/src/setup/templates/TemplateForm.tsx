import type { MessageTemplate } from '@backline/sdk'
import { useId } from 'react'
import { useTemplates } from '../../data/configuration.ts'
import { Button, IconButton } from '../../design/Button.tsx'
import { Fault, Select, TextField } from '../../design/Field.tsx'
import { Card, Row } from '../../design/Layout.tsx'
import { replaced, without } from '../../forms/changes.ts'
import { Group, Pair } from '../../forms/Form.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { FormProps } from '../resource/kind.ts'
import { BodyField } from './BodyField.tsx'
import type { TemplateDraft } from './draft.ts'
import { TemplatePreview } from './TemplatePreview.tsx'
import { texts } from './texts.ts'

export function TemplateForm({ draft, set, faults, item }: FormProps<MessageTemplate, TemplateDraft>) {
  const text = useTexts(texts)
  const foldersId = useId()
  const templates = useTemplates()
  const folders = new Set(templates.data?.flatMap(({ folder }) => folder ?? []))
  const { variants } = draft
  return (
    <>
      <Pair>
        <TextField
          label={text.name}
          error={faults.at('/name')}
          required
          value={draft.name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <TextField
          label={text.folder}
          error={faults.at('/folder')}
          list={foldersId}
          placeholder={text.noFolder}
          value={draft.folder}
          onChange={(event) => set({ folder: event.target.value })}
        />
      </Pair>
      <datalist id={foldersId}>
        {[...folders].map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
      <BodyField
        label={text.text}
        hint={text.textHint}
        error={faults.at('/body')}
        value={draft.body}
        onChange={(body) => set({ body })}
      />
      <Pair>
        <Select
          label={text.format}
          error={faults.at('/body_format')}
          options={[
            { value: 'text', label: text.plain },
            { value: 'markdown', label: text.markdown },
          ]}
          value={draft.body_format}
          onChange={(event) => set({ body_format: event.target.value as TemplateDraft['body_format'] })}
        />
        <TextField
          label={text.language}
          hint={text.localeHint}
          error={faults.at('/locale')}
          value={draft.locale}
          onChange={(event) => set({ locale: event.target.value })}
        />
      </Pair>
      <Group title={text.variants} intro={text.variantsIntro}>
        <Fault>{faults.at('/variants')}</Fault>
        {variants.map((variant, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Variants have no other identity while they are edited.
          <Card key={i}>
            <Row align="end" justify="between">
              <TextField
                label={text.language}
                required
                error={faults.at(`/variants/${i}/locale`)}
                value={variant.locale}
                onChange={({ target }) =>
                  set({ variants: replaced(variants, i, { ...variant, locale: target.value }) })
                }
              />
              <IconButton
                icon="close"
                label={text.removeVariant(variant.locale)}
                onClick={() => set({ variants: without(variants, i) })}
              />
            </Row>
            <BodyField
              label={text.text}
              error={faults.at(`/variants/${i}/body`)}
              value={variant.body}
              onChange={(body) => set({ variants: replaced(variants, i, { ...variant, body }) })}
            />
          </Card>
        ))}
        <div>
          <Button icon="plus" onClick={() => set({ variants: [...variants, { locale: '', body: '' }] })}>
            {text.addVariant}
          </Button>
        </div>
      </Group>
      <Group title={text.preview} intro={item ? text.previewIntro : text.previewLater}>
        {item && <TemplatePreview template={item} />}
      </Group>
    </>
  )
}
