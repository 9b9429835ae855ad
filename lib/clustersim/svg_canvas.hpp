#pragma once

// The few elements of SVG 1.1 that a line chart needs, as text.

#include <string>
#include <string_view>
#include <vector>

namespace lvs::clustersim {

struct Point {
  double x{}, y{};  ///< pixels, y downwards

  friend bool operator==(const Point&, const Point&) = default;
};

struct Stroke {
  std::string_view colour{"#000000"};
  double width{1};
  double opacity{1};
  std::string_view dashes{};  ///< "4 3"; empty: a solid line
};

struct Font {
  double size{11};
  std::string_view colour{"#333333"};
  std::string_view anchor{"start"};  ///< start, middle or end
  bool bold{};
};

/// Text as it may stand in an element or attribute; control characters become blanks.
std::string xml_from_text(std::string_view text);

/// About how many pixels wide a text will be: what draws it chooses the font.
double text_width(std::string_view text, double size);

class SvgCanvas {
 public:
  void line(Point from, Point to, const Stroke& stroke);
  /// Nothing for less than two points.
  void path(const std::vector<Point>& points, const Stroke& stroke);
  void rectangle(Point corner, double width, double height, std::string_view fill);
  void circle(Point centre, double radius, std::string_view fill);
  void text(Point at, std::string_view text, const Font& font);

  /// The whole document, on white.
  [[nodiscard]] std::string document(double width, double height, std::string_view title) const;

 private:
  std::string body_{};
};

}  // namespace lvs::clustersim
