"""Places on the Earth in the laboratory: recognised by names, ranges and ways of writing; kilometres for learners; told."""

import numpy as np
import pandas as pd
import pytest

import aprendiz
from aprendiz import persistence
from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.lab import ReadingError, TableModel, ask, prepared, read
from aprendiz.lab.columns import PlaceColumns
from aprendiz.lab.columns.place_cells import place_of, places_in
from aprendiz.lab.columns.places import RADIUS, centre_of, east_and_north, extent, unit_vectors

MADRID = (40.4168, -3.7038)


def table_of(tmp_path, columns, name="table.csv", **options):
    path = tmp_path / name
    pd.DataFrame(columns).to_csv(path, index=False)
    return read(path, **options)


def great_circle(first, second):
    """The distance in km, by the formula of haversines."""
    (a, b), (c, d) = np.radians(first), np.radians(second)
    h = np.sin((c - a) / 2) ** 2 + np.cos(a) * np.cos(c) * np.sin((d - b) / 2) ** 2
    return 2 * RADIUS * np.arcsin(np.sqrt(h))


# ---- cells ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cell",
    ["40.4168, -3.7038", "(40.4168,-3.7038)", "40.4168 -3.7038", "POINT(-3.7038 40.4168)", "SRID=4326;point (-3.7038 40.4168)"],
)
def test_numbers(cell):
    assert place_of(cell) == MADRID


@pytest.mark.parametrize(
    "cell",
    ["40°25′0.48″N 3°42′13.68″W", "N 40° 25' 0.48\", W 3° 42' 13.68\"", "3°42'13.68''O 40°25'0.48''N", "40.4168°n 3.7038°w"],
)
def test_degrees(cell):
    """Minutes and seconds, the letters on either side, in either order, also the Spanish O."""
    assert place_of(cell) == pytest.approx(MADRID)


@pytest.mark.parametrize(
    "cell", ["91.5, 3.25", "40.5, 181.25", "40°61′N 3°W", "40°N 3°N", "40° 3°", "40.5", "a, b", "1.5, 2.5, 3.5", ""]
)
def test_what_is_no_place(cell):
    assert place_of(cell) is None


def cells_in(rng, n, style):
    """Places around a random centre, as texts."""
    lat, lon = rng.uniform(-60, 60) + rng.normal(size=n), rng.uniform(-170, 170) + rng.normal(size=n)
    if style == "point":
        return [f"POINT ({b:.5f} {a:.5f})" for a, b in zip(lat, lon, strict=True)]
    if style == "degrees":
        return [f"{sexagesimal(a, 'NS')} {sexagesimal(b, 'EW')}" for a, b in zip(lat, lon, strict=True)]
    return [f"{a:.4f}, {b:.4f}" for a, b in zip(lat, lon, strict=True)]


def sexagesimal(value, sides):
    return f"{int(abs(value))}°{int(abs(value) % 1 * 60)}′{sides[int(value < 0)]}"


def test_found_and_not_invented():
    """In 100 of 100 columns of places; in none of pairs of whole numbers, sizes, vectors and numbers beyond the Earth."""
    for seed in range(100):
        rng = np.random.default_rng(seed)
        assert places_in("x", pd.Series(cells_in(rng, 60, ("pair", "point", "degrees")[seed % 3]), dtype="str"))
        a, b = rng.integers(0, 90, 60), rng.integers(0, 90, 60)
        big = rng.uniform(0, 400, (60, 2)).round(3)
        for clean in (
            [f"{x}, {y}" for x, y in zip(a, b, strict=True)],
            [f"{x} {y}" for x, y in zip(a, b, strict=True)],
            [f"{x}.5, {y}.5" for x, y in zip(a, b, strict=True)],
            [f"{x}, {y}" for x, y in big],
            [f"{x}, {y}, {y}" for x, y in big / 5],
            [f"{x} cm" for x in a],
        ):
            assert places_in("x", pd.Series(clean, dtype="str")) is None


# ---- columns of numbers -----------------------------------------------------------------------------------------------------

PAIRS = [
    *[("lat", "lon"), ("Latitude", "Longitude"), ("LATITUD", "LONGITUD"), ("latitudine", "longitudine")],
    *[
        ("pickup_lat", "pickup_lng"),
        ("startLatitude", "startLongitude"),
        ("Breitengrad", "Längengrad"),
        ("geo.lat", "geo.long"),
    ],
]


@pytest.mark.parametrize("names", PAIRS, ids=str)
def test_pairs_by_name_and_range(names, tmp_path):
    """The names in several languages, with the same words beside them; read again as before; numbers if they are so given."""
    rng = np.random.default_rng(0)
    columns = {names[0]: rng.uniform(36, 43, 30).round(4), "x": rng.random(30), names[1]: rng.uniform(-8, 3, 30).round(4)}
    table = table_of(tmp_path, columns)
    assert [one.kind for one in table.columns] == ["latitude", "numeric", "longitude"]
    assert any(f"columns {names[0]!r} and {names[1]!r} are coordinates" in note for note in table.notes)
    assert read(table.path, like=table.dialect).columns == table.columns
    assert {one.kind for one in read(table.path, types={names[0]: "number"}).columns} == {"numeric"}


@pytest.mark.parametrize(
    "columns",
    [
        {"lat": [4.5, 3.25], "y": [1.5, 2.5]},
        {"pickup_lat": [4.5, 3.25], "dropoff_lon": [1.5, 2.5]},
        {"plate": [4.5, 3.25], "talon": [1.5, 2.5]},
        {"lat": [4, 3], "lon": [1, 2]},
        {"lat": [4.5, 4.5], "lon": [1.5, 2.5]},
    ],
    ids=str,
)
def test_pairs_that_are_none(columns, tmp_path):
    """One alone, two of different places, names with the letters inside, whole numbers, one value."""
    table = table_of(tmp_path, {name: values * 10 for name, values in columns.items()})
    assert not {"latitude", "longitude"} & {one.kind for one in table.columns}
    assert not table.notes or "constant" in " ".join(table.notes)


def test_off_the_earth(tmp_path):
    """A cell that cannot be: told with its row, and numbers stay; refused where coordinates are asked for. 356.5° can be."""
    columns = {"lat": [40.5, 41.25, 404.168], "lon": [-3.5, 200.5, 2.25]}
    table = table_of(tmp_path, columns)
    assert "column 'lat' holds 404.2 in row 3, beyond ±90 degrees" in " ".join(table.notes)
    assert [one.kind for one in table.columns] == ["numeric", "numeric"]
    with pytest.raises(ReadingError, match=r"row 3: column 'lat' holds 404.2, beyond ±90 degrees"):
        read(table.path, types={"lat": "latitude", "lon": "longitude"})
    with pytest.raises(ReadingError, match=r"row 2: column 'lon' holds 200.5, beyond ±180 degrees"):
        read(table_of(tmp_path, {**columns, "lat": [40.5, 41.25, 40.4]}).path, types={"lat": "latitude", "lon": "longitude"})
    east = table_of(tmp_path, {"lat": [40.5, 41.25, 40.4], "lon": [356.5, 200.5, 2.25]})
    assert [one.kind for one in east.columns] == ["latitude", "longitude"]
    given = table_of(tmp_path, {"y": [40, 41, 42], "x": [3, 2, 1]}, types={"y": "latitude", "x": "longitude"})
    assert [one.kind for one in given.columns] == ["latitude", "longitude"]
    with pytest.raises(ReadingError, match=r"row 2: column 'where' holds 'Madrid', which is no place"):
        table_of(tmp_path, {"where": ["40.25, -3.75", "Madrid"], "z": [1, 2]}, types={"where": "place"})


# ---- kilometres -------------------------------------------------------------------------------------------------------------


def test_the_map():
    """Distances from the centre are those of great circles; others within 2000 km are at most 1.7 % too long, never too short;
    the 180th meridian breaks nothing."""
    rng = np.random.default_rng(0)
    for centre in (MADRID, (-41.3, 179.9), (70.0, -179.5), (0.0, 0.0)):
        places = np.array([centre]) + rng.uniform(-8, 8, (60, 2))
        places[:, 1] = (places[:, 1] + 180) % 360 - 180
        E, N = east_and_north(*places.T, centre)
        from_centre = great_circle(places.T, np.array([[centre[0]], [centre[1]]]))
        np.testing.assert_allclose(np.hypot(E, N), from_centre, rtol=1e-9, atol=1e-6)
        for k in range(1, 60):
            straight, true = np.hypot(E[k] - E[0], N[k] - N[0]), great_circle(places[k], places[0])
            assert true * (1 - 1e-9) <= straight <= 1.017 * true
    assert east_and_north(np.array([41.0]), np.array([-3.7038]), MADRID)[1] > 0
    assert east_and_north(np.array([40.4168]), np.array([-3.0]), MADRID)[0] > 0


def test_the_globe():
    """Points on the sphere, whose distances are chords; the extent decides which of the two it is."""
    places = np.array([[40.0, -3.0], [-33.9, 151.2], [35.7, 139.7]])
    points = RADIUS * unit_vectors(*places.T)
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), RADIUS)
    for i, j in ((0, 1), (1, 2)):
        chord = 2 * RADIUS * np.sin(great_circle(places[i], places[j]) / (2 * RADIUS))
        np.testing.assert_allclose(np.linalg.norm(points[i] - points[j]), chord)
    assert extent(*places.T) == "globe"
    assert extent(np.array([40.0, 45.0, np.nan]), np.array([-3.0, 5.0, 1.0])) == "local"
    assert extent(np.array([-17.0, -18.0]), np.array([179.5, -179.5])) == "local"
    assert centre_of(np.array([-17.0, -18.0]), np.array([179.5, -179.5]))[1] == pytest.approx(180, abs=0.01)
    assert extent(np.array([np.nan]), np.array([np.nan])) == "local"


def places(n, seed=0):
    """Coordinates in two columns and in one, with a class that depends on the distance from a place."""
    rng = np.random.default_rng(seed)
    lat, lon = rng.uniform(38, 43, n).round(4), rng.uniform(-7, -1, n).round(4)
    near = great_circle(np.array([lat, lon]), np.array([[MADRID[0]], [MADRID[1]]])) < 180
    return {"lat": lat, "lon": lon}, [f"{a}, {b}" for a, b in zip(lat, lon, strict=True)], np.where(near, "near", "far")


@pytest.mark.parametrize("form", ["pair", "text"])
@pytest.mark.parametrize("name", ["KNeighborsClassifier", "DecisionTreeClassifier", "GaussianNB", "CategoricalNB"])
def test_a_planted_place_decides(form, name, tmp_path):
    """Near or far from a place is predicted; the model comes back from its file, and takes frames and files."""
    pair, text, y = places(300)
    columns = {**pair, "y": y} if form == "pair" else {"where": text, "y": y}
    table = table_of(tmp_path, columns)
    question = ask(table, target="y", groups=False)
    X, target, _groups = question.data(table)
    learner = prepared(getattr(aprendiz, name)(), X, columns=question.columns(table)).fit(X[:200], target[:200])
    place = "lat, lon" if form == "pair" else "where"
    assert list(learner[:-1].get_feature_names_out()) == [f"{place}: east (km)", f"{place}: north (km)"]
    assert learner.score(X[200:], target[200:]) > max((target == "near").mean(), (target == "far").mean()) + 0.05
    model = TableModel.of(learner, "y", "classification", question.columns(table), table.dialect)
    persistence.save(model, tmp_path / "model.apz")
    again = persistence.load(tmp_path / "model.apz")
    np.testing.assert_array_equal(again.predict(table.path), model.predict(table.frame))
    if form == "text":
        with pytest.raises(ValueError, match="Row 2: column 'where' holds 'Vigo', which is no place"):
            model.predict({"where": ["40.25, -3.75", "Vigo"]})


def test_what_belongs_to_the_fit():
    """The centre is that of the training rows; missing places are missing cells; others stay; half a pair is a number."""
    pair, _text, _y = places(40)
    frame = pd.DataFrame({**pair, "x": np.arange(40.0)})
    schema = Columns(
        (Column("lat", "latitude", ("lon", "local")), Column("x", "numeric"), Column("lon", "longitude", ("lat", "local")))
    )
    model = PlaceColumns(schema).fit(frame[:20])
    assert model.centres_["lat"] == centre_of(frame["lat"][:20].to_numpy(), frame["lon"][:20].to_numpy())
    east, north = east_and_north(frame["lat"].to_numpy(), frame["lon"].to_numpy(), model.centres_["lat"])
    np.testing.assert_array_equal(model.transform(frame).iloc[:, :2], np.column_stack([east, north]))
    frame.loc[3, "lat"] = np.nan
    found = model.transform(frame)
    assert list(found.columns) == list(model.get_feature_names_out()) == ["lat, lon: east (km)", "lat, lon: north (km)", "x"]
    assert found.iloc[3, :2].isna().all()
    assert found.drop(index=3).notna().all().all()
    half = Columns((schema["lat"], schema["x"]))
    model = prepared(aprendiz.Ridge(), frame[["lat", "x"]], columns=half).fit(frame[["lat", "x"]], frame["x"])
    assert list(model[:-1].get_feature_names_out()) == ["lat", "x"]
