import type { MessageTemplate } from '@backline/sdk'
import { useId } from 'react'
import { useTemplates } from '../../data/configuration.ts'
import { Button, IconButton } from '../../design/Button.tsx'
import { Fault, Select, TextField } from '../../design/Field.tsx'
import { Card, Row } from '../../design/Layout.tsx'
import { patched, without } from '../../forms/changes.ts'
import { FieldRow, Group } from '../../forms/Form.tsx'
import type { FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { BodyField } from './BodyField.tsx'
import type { TemplateDraft } from './draft.ts'
import { TemplatePreview } from './TemplatePreview.tsx'
import { texts } from './texts.ts'

export function TemplateForm({
  draft,
  set,
  faults,
  item,
  field,
  input,
  select,
}: FormProps<MessageTemplate, TemplateDraft>) {
  const text = useTexts(texts)
  const foldersId = useId()
  const templates = useTemplates()
  const folders = new Set(templates.data?.flatMap(({ folder }) => folder ?? []))
  const { variants } = draft
  return (
    <>
      <FieldRow>
        <TextField {...input('name')} required />
        <TextField {...input('folder')} list={foldersId} placeholder={text.noFolder} />
      </FieldRow>
      <datalist id={foldersId}>
        {[...folders].map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
      <BodyField {...field('body')} required hint={text.textHint} />
      <FieldRow>
        <Select
          {...select('body_format')}
          options={[
            { value: 'text', label: text.plain },
            { value: 'markdown', label: text.markdown },
          ]}
        />
        <TextField {...input('locale')} hint={text.localeHint} />
      </FieldRow>
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
                onChange={({ target }) => set({ variants: patched(variants, i, { locale: target.value }) })}
              />
              <IconButton
                icon="close"
                label={text.removeVariant(variant.locale)}
                onClick={() => set({ variants: without(variants, i) })}
              />
            </Row>
            <BodyField
              required
              label={text.text}
              error={faults.at(`/variants/${i}/body`)}
              value={variant.body}
              onChange={(body) => set({ variants: patched(variants, i, { body }) })}
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
