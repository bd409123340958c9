import assay


def test_the_start_page_leads_to_everything(client):
    found = client.role("viewer").get("/").json()
    assert (found["version"], found["name"], found["role"]) == (assay.__version__, "Ada", "viewer")
    document = client.get(found["openapi"]).json()
    assert {found[name] for name in ("progress", "health", "metrics")} <= document["paths"].keys()
    assert all(
        path.startswith((found["api"], "/health", "/metrics"))
        for path in document["paths"]
        if path != "/"
    )


def test_nobody_unknown_gets_the_start_page(client):
    assert client.role(None).get("/").status_code == 401
