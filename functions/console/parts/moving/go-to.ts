import { useLocation } from "preact-iso/router";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Returns what goes from this page to another once an answer is there, and tells whether it went: whoever has left this page
 * meanwhile stays where they are.
 */
export const useGoTo = (): ((address: string) => boolean) => {
  const { path, route } = useLocation();
  const here = useRef("");
  useLayoutEffect(() => {
    here.current = path;
    return () => {
      here.current = "";
    };
  }, [path]);
  return (address) => {
    // The path is that of the page on which this was begun; what is shown may be another of its kind.
    const isHere = here.current === path;
    if (isHere) route(address);
    return isHere;
  };
};
