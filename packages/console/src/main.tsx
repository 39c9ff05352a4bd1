import './design/base.css'
import { createRoot } from 'react-dom/client'
import { keepPageOnDrop } from './browser/file-drops.ts'
import { App } from './shell/App.tsx'
import { firstLanguage, speak } from './texts/language.tsx'

keepPageOnDrop()

// The page is English if the words of its language cannot be loaded.
void speak(firstLanguage())
  .catch(() => undefined)
  .then(() => createRoot(document.getElementById('root')!).render(<App />))
