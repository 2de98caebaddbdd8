/** The size of an element, in CSS pixels, followed while it changes. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export const useSize = <Kind extends HTMLElement>() => {
  const element = useRef<Kind>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    const watch = new ResizeObserver(([entry]) => {
      const { width, height } = entry.contentRect;
      setSize({ width: Math.round(width), height: Math.round(height) });
    });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  return { element, ...size };
};
