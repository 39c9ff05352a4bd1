import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storedAs = 'backline.theme'

const Chosen = createContext<{ theme: Theme; choose(theme: Theme): void }>({
  theme: 'system',
  choose: () => undefined,
})

export function ThemeProvider({ children }: { children: ReactNode }) {
  const [theme, setTheme] = useState<Theme>(
    () => themes.find((each) => each === localStorage.getItem(storedAs)) ?? 'system',
  )
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
  const value = useMemo(
    () => ({
      theme,
      choose(next: Theme) {
        localStorage.setItem(storedAs, next)
        setTheme(next)
      },
    }),
    [theme],
  )
  return <Chosen.Provider value={value}>{children}</Chosen.Provider>
}

export const useTheme = () => useContext(Chosen)
