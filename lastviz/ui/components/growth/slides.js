// The step that is shown leaves as a slide, by the same menu as every figure of the app.

function slideDesk(player, tools) {
  const desk = {
    tools, filename: "growth",
    get gd() { return player.gd; },
    get frame() { return player.frame; },
    get root() { return player.frame; },
    get model() { return player.story.title; },
    get note() {
      const about = player.toolsPlace.closest(".lvg-stage").querySelector(".lvg-note").textContent;
      return [`${player.count.textContent}. ${player.say.textContent}`, about].filter(Boolean).join(" ");
    },
    paint: (drawing) => paintedOn(player, drawing),
    // The player has built its stage anew: the buttons go where it keeps their place.
    adopt(words) {
      desk.words = words;
      player.toolsPlace.append(tools);
      tools.hidden = false;
      slides.setUpTools(desk, words);
    },
  };
  tools.addEventListener("keydown", (event) => {
    slides.onMenuKey(desk, event);
    event.stopPropagation(); // arrows are steps elsewhere in the player
  });
  tools.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-tool]");
    const tool = button?.dataset.tool;
    if (tool === "menu") slides.toggleMenu(desk);
    else if (tool === "back") slides.chooseBack(desk, button);
    else if (tool && player.staged) slides.closeMenu(desk), slides.leave(desk, tool);
  });
  return desk;
}

// The marks of the step are not Plotly's: they are laid into its drawing, under the rows.
function paintedOn({ gd }, drawing) {
  const plot = drawing.querySelector(".cartesianlayer .overplot > .xy");
  const marks = [...gd.querySelectorAll(".lvg-marks, .lvg-finder")].map((layer) => layer.cloneNode(true));
  for (const layer of marks)
    if (layer.matches(".lvg-marks")) plot.insertBefore(layer, rowsOf(plot));
    else plot.append(layer);
  return marks;
}
