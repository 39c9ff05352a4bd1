import './design/base.css'
import { createRoot } from 'react-dom/client'
import { keepPageOnDrop } from './browser/file-drops.ts'
import { App } from './shell/App.tsx'

keepPageOnDrop()

createRoot(document.getElementById('root')!).render(<App />)
